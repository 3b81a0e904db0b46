using System.CommandLine;
using CamCube.Loads.Choosing;
using CamCube.Loads.Operations;
using CamCube.Loads.Runs;
using CamCube.Loads.Settings;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv load</c>: clients that put and get records, and how long that takes.</summary>
internal static class LoadCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var options = new LoadCommandOptions();
        var command = new Command(
            "load",
            "Has clients put and get records (YCSB), and prints rates and times. Of a cube, Redis or etcd."
        );
        options.AddTo(command);
        examples[command] = """
            camcube kv load                                  YCSB A at all servers of the host
            camcube kv load --workload b --for 60s --json
            camcube kv load --mix get=80,put=15,incr=5 --keys uniform
            camcube kv load --target redis --endpoint 127.0.0.1:6379 --pipeline 16
            camcube kv load --target etcd --endpoint 10.0.0.1:2379 --endpoint 10.0.0.2:2379
            camcube kv load --rate 5000 --plot times.svg     time from when each was to be sent

            Exit codes: 0 done, 1 a read brought another's value, 2 wrong input, 3 nothing was done.
            """;
        command.SetAction((parsed, cancel) => RunAsync(parsed, common, options, cancel));
        return command;
    }

    private static async Task<int> RunAsync(
        ParseResult parsed,
        CommonOptions common,
        LoadCommandOptions options,
        CancellationToken cancel
    )
    {
        LoadOptions load = options.Read(parsed);
        LoadPhase phases = options.PhasesIn(parsed);
        string? picture = options.PlotIn(parsed);
        (LoadTarget target, IReadOnlyList<LoadEndpoint> endpoints) = await options.TargetAsync(parsed, common, cancel);
        LoadCommandOptions.Check(target, load);
        List<LoadPhaseResult> results = [];
        using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
        try
        {
            using LoadRun run = await LoadRun.BeginAsync(load, target, endpoints, cancel);
            foreach (LoadPhase phase in new[] { LoadPhase.Load, LoadPhase.Run, LoadPhase.Remove })
            {
                // Of records that could not be put nothing is to be learned.
                bool goesOn = results.TrueForAll(static one => !one.IsGone && one.Tally.Done > 0);
                if (phases.HasFlag(phase) && goesOn && !cancel.IsCancellationRequested)
                {
                    results.Add(
                        await run.RunAsync(
                            phase,
                            now => progress.Show(() => LoadText.Progress(phase, load, now)),
                            cancel
                        )
                    );
                }
            }
        }
        catch (IOException e)
        {
            throw new ToolException(ExitCode.Unavailable, e.Message);
        }
        catch (PlatformNotSupportedException e)
        {
            throw new ToolException(ExitCode.Usage, e.Message);
        }

        progress.Dispose();
        if (picture is not null)
        {
            LoadPlots.Write(picture, load, target, results);
        }

        JsonOrText.Print(
            parsed,
            common,
            LoadText.Json(load, target, endpoints, results),
            report => LoadText.Print(report, load, target, endpoints, results)
        );
        return cancel.IsCancellationRequested ? ExitCode.Cancelled
            : LoadText.Wrong(results) > 0 ? ExitCode.Failed
            : results.Exists(static one => one.IsGone || one.Tally.Done == 0) ? ExitCode.Unavailable
            : ExitCode.Ok;
    }
}
