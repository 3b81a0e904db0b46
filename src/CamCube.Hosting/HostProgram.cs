using CamCube.Hosting.Cubes;
using CamCube.Hosting.Faults;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Http;
using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Observing;
using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;

namespace CamCube.Hosting;

/// <summary>A host from its first line to its exit code.</summary>
public static class HostProgram
{
    /// <summary>It ran and was stopped, or said what it was asked to say.</summary>
    public const int Success = 0;

    /// <summary>It failed in a way nobody foresaw: at its start, or an error ended the loops of its servers.</summary>
    public const int Failure = 1;

    /// <summary>It did not start because of its settings or its surroundings; standard error says why, a line for each
    /// reason.</summary>
    public const int Mistake = 2;

    /// <summary>
    /// Runs a host until Ctrl+C, SIGTERM or cancellation. Settings come from appsettings.json, the environment and the
    /// command line. Prints a line that begins with <c>CamCube ready</c> when all ports are open.
    /// </summary>
    /// <returns>The exit code: 0, 1 or 2.</returns>
    public static async Task<int> RunAsync(HostSetup setup, CancellationToken cancel = default)
    {
        ArgumentNullException.ThrowIfNull(setup);
        HostOutput output = new(setup.Output, setup.Errors);
        Mistakes mistakes = new();
        CommandLine commandLine = CommandLine.Parse(setup.Arguments, mistakes);
        if (commandLine.Help)
        {
            return Say(
                HelpText.Lines(
                    setup.Call,
                    setup
                        .Cubes.Concat(setup.LinkProviders.Select(p => new CableCubeFactory(p, setup.Time)))
                        .SelectMany(cube => cube.Settings)
                )
            );
        }

        if (commandLine.Version)
        {
            return Say([$"CamCube {StatusReport.Version}"]);
        }

        IConfigurationRoot? configuration = SettingsSources.Read(
            setup.Folder,
            setup.SettingsLimit,
            setup.Environment,
            commandLine,
            mistakes
        );
        if (configuration is null)
        {
            return Refuse(output, mistakes.Lines);
        }

        using ILoggerFactory loggers = Loggers(configuration, setup.Log);
        HostPlan? plan = HostPlanner.Plan(setup, configuration, loggers, mistakes);
        if (plan is null)
        {
            return Refuse(output, mistakes.Lines);
        }

        try
        {
            return await RunAsync(plan, setup, output, loggers, cancel);
        }
        catch (Exception e) when (Explain(e, plan, setup) is { } line)
        {
            // What may pass is no mistake: whoever keeps the host running tries again.
            output.WriteErrors([line]);
            return e is LinkProviderException { MayPass: true } ? Failure : Mistake;
        }
        catch (Exception e)
        {
            output.WriteErrors([$"CamCube failed: {e}"]);
            return Failure;
        }
        finally
        {
            plan.Services.Unload();
        }

        int Say(IEnumerable<string> lines) => output.WriteLines(lines) ? Success : Mistake;
    }

    private static async Task<int> RunAsync(
        HostPlan plan,
        HostSetup setup,
        HostOutput output,
        ILoggerFactory loggers,
        CancellationToken cancel
    )
    {
        using LinkRecording? recording = plan.Recording;
        ILogger cables = loggers.CreateLogger("CamCube.Cables");
        EndedParts ended = new();
        if (recording is not null)
        {
            recording.Ended = (file, e) => CaptureEnded(cables, ended, file, e);
        }

        ICube cube = plan.Factory.Create(
            plan.Request(
                new LoggedServerEvents(loggers, ended, setup.Time),
                news => HostingLog.CableNews(cables, news),
                recording
            )
        );
        await using Ending endOfCube = new(cube, setup.Time);
        FrontEndSet frontEnds = new(cube, plan.FrontEnds);
        await using Ending endOfFrontEnds = new(frontEnds, setup.Time);
        await using WebApplication app = HostFactory.Create(plan, cube, frontEnds, ended, loggers, output, setup);
        try
        {
            await app.StartAsync(cancel);
        }
        catch (Exception e)
        {
            // The stages that did start have threads and ports.
            bool wanted =
                e is OperationCanceledException
                && (cancel.IsCancellationRequested || app.Lifetime.ApplicationStopping.IsCancellationRequested);
            await app.StopAsync(CancellationToken.None);
            if (!wanted)
            {
                throw;
            }

            return ExitCode(app, output);
        }

        await app.WaitForShutdownAsync(cancel);
        return ExitCode(app, output);
    }

    private static void CaptureEnded(ILogger logger, EndedParts ended, string file, Exception e)
    {
        HostingLog.CaptureEnded(logger, e, file);
        ended.Add(
            null,
            new HealthReason(HealthLevel.Degraded, $"the capture {file} has ended: {ErrorText.Describe(e)}")
        );
    }

    private static int ExitCode(WebApplication app, HostOutput output)
    {
        if (app.Services.GetRequiredService<HostHealth>().Failure is not { } failure)
        {
            return Success;
        }

        output.WriteErrors([$"CamCube failed: {failure}"]);
        return Failure;
    }

    private static int Refuse(HostOutput output, IReadOnlyList<string> lines)
    {
        output.WriteErrors(lines);
        return Mistake;
    }

    /// <summary>One line for a failure that somebody can mend; null for any other.</summary>
    private static string? Explain(Exception failure, HostPlan plan, HostSetup setup)
    {
        PortChecker ports = new(plan.Ports, setup.Call, setup.Arguments, new Mistakes());
        return failure switch
        {
            FaultSettingException e => e.Message,
            LinkProviderException e => $"CamCube:Shim = '{plan.Factory.Name}': {e.Message}",
            FrontEndStartException { IsPortInUse: true } e => ports.DescribeTaken(
                plan.Ports.First(range => range.Name == e.Definition.Name),
                e.Port
            ),
            FrontEndStartException { IsExplained: true } e => e.Message,
            IOException { InnerException: AddressInUseException } => ports.DescribeTaken(plan.Http, null),
            _ => null,
        };
    }

    private static ILoggerFactory Loggers(IConfiguration configuration, ILoggerProvider? log) =>
        LoggerFactory.Create(logging =>
        {
            logging
                .SetMinimumLevel(LogLevel.Warning)
                // A failed start is explained on standard error in one line; its stack is not wanted beside it.
                .AddFilter("Microsoft.Extensions.Hosting", LogLevel.None)
                .AddFilter("Microsoft.AspNetCore.Hosting", LogLevel.None)
                .AddConfiguration(configuration.GetSection("Logging"))
                .AddConsole(console =>
                {
                    console.LogToStandardErrorThreshold = LogLevel.Trace;

                    // Servers log on their loops: a pipe that nobody reads must not stop them.
                    console.QueueFullMode = ConsoleLoggerQueueFullMode.DropWrite;
                })
                .AddSimpleConsole(console =>
                {
                    console.SingleLine = true;
                    console.TimestampFormat = "HH:mm:ss ";
                });
            if (log is not null)
            {
                logging.AddProvider(log);
            }
        });
}
