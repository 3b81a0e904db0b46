using System.CommandLine;
using System.CommandLine.Help;
using CamCube.Experiments;
using CamCube.Experiments.Catalog;
using CamCube.Experiments.Figures;
using CamCube.Swarm;
using CamCube.Testbed;
using CamCube.Tool.Commands;
using CamCube.Tool.Commands.Camdoop;
using CamCube.Tool.Commands.Collective;
using CamCube.Tool.Commands.Distribute;
using CamCube.Tool.Commands.Files;
using CamCube.Tool.Commands.Hadoop;
using CamCube.Tool.Commands.Images;
using CamCube.Tool.Commands.KeyValue;
using CamCube.Tool.Commands.Testbed;
using CamCube.Tool.Commands.Topology;
using CamCube.Tool.Dev;
using CamCube.Tool.Syntax;

namespace CamCube.Tool;

/// <summary>The commands, and what every command line has in common: help, errors in one line, exit codes.</summary>
internal static class CamCubeCommandLine
{
    /// <summary>Runs a command line. Answers the exit code.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="output">Standard output.</param>
    /// <param name="error">Standard error.</param>
    /// <param name="figures">Figures of <c>experiment</c>; null: those of the papers.</param>
    /// <param name="cancel">As Ctrl+C.</param>
    public static async Task<int> RunAsync(
        IReadOnlyList<string> args,
        TextWriter output,
        TextWriter error,
        IReadOnlyList<IFigure>? figures = null,
        CancellationToken cancel = default
    )
    {
        // "@..." is no file of arguments, and there are no short options to bundle: "-x" is a direction.
        var parser = new ParserConfiguration { ResponseFileTokenReplacer = null, EnablePosixBundling = false };
        ParseResult parsed = Create(figures).Parse(RestOfLine.Mark(args), parser);
        if (parsed.Action is not HelpWithExamples && WrongUsage(parsed) is { } fault)
        {
            return End(error, ExitCode.Usage, fault);
        }

        try
        {
            var invocation = new InvocationConfiguration
            {
                Output = output,
                Error = error,
                EnableDefaultExceptionHandler = false,
                // After Ctrl+C: an experiment ends at its next report and writes what there is.
                ProcessTerminationTimeout = TimeSpan.FromSeconds(20),
            };
            return await parsed.InvokeAsync(invocation, cancel);
        }
        catch (ToolException e)
        {
            return End(error, e.ExitCode, e.Message);
        }
        catch (ExperimentException e)
        {
            return End(error, e.IsUsage ? ExitCode.Usage : ExitCode.Failed, e.Message);
        }
        catch (SwarmException e)
        {
            return End(error, e.IsUsage ? ExitCode.Usage : ExitCode.Failed, e.Message);
        }
        catch (TestbedException e)
        {
            return End(error, e.IsUsage ? ExitCode.Usage : ExitCode.Failed, e.Message);
        }
        catch (OperationCanceledException)
        {
            return End(error, ExitCode.Cancelled, "cancelled.");
        }
    }

    private static RootCommand Create(IReadOnlyList<IFigure>? figures)
    {
        var common = new CommonOptions();
        var examples = new Dictionary<Command, string>();
        Command run = RunCommand.Create(examples),
            dev = DevCommand.Create(common, examples);
        Command topology = TopologyCommand.Create(common, examples),
            sim = SimCommand.Create(common, examples);
        Command check = ServiceCheckCommand.Create(common, examples),
            service = ServiceGroup.Create(common, examples, check);
        Command experiment = new ExperimentCommand(common, figures ?? FigureCatalog.All).Create(examples);
        Command testbed = TestbedCommand.Create(common, examples);
        var root = new RootCommand(
            "Runs a CamCube host, looks at it and controls it; shows routes; runs experiments in virtual time."
        )
        {
            common.Json,
            common.Host,
            run,
            dev,
            StatusCommand.Create(common, examples),
            LinksCommand.Create(common, examples),
            CablingCommand.Create(common, examples),
            PingCommand.Create(common, examples),
            TraceCommand.Create(common, examples),
            StreamCommand.Create(common, examples),
            MessengerCommand.Create(common, examples),
            KeyValueCommand.Create(common, examples),
            FilesCommand.Create(common, examples),
            CamdoopCommand.Create(common, examples),
            HadoopCommand.Create(common, examples),
            ImagesCommand.Create(common, examples),
            DistributeCommand.Create(common, examples),
            CollectiveCommand.Create(common, examples),
            TunnelCommand.Create(common, examples),
            ServerCommand.Create(common, examples),
            CableCommand.Create(common, examples),
            FaultCommand.Create(common, examples),
            topology,
            sim,
            service,
            experiment,
            testbed,
        };
        examples[root] = """
            camcube run                                          start a 3x3x3 cube to look at
            camcube run Hello                                    and the service that was built in folder Hello
            camcube dev Hello                                    the same, with each new build of it at once
            camcube status                                       what runs
            camcube cabling                                      how real cables are plugged, and what is wrong
            camcube ping 0 2,1,2                                 from server 0,0,0 to server 2,1,2
            camcube trace 0 2,1,2                                the way of a packet, server by server
            camcube stream 0 2,1,2                               how fast streams are between them
            camcube kv put greeting hello                        a value into the key-value store
            camcube distribute image.raw --to all                a file to all servers, along six trees at once
            camcube collective bench                             how fast sums over all servers are
            camcube topology paths --from 0,0,0 --to 1,1,1       paths without a common link, no host needed
            camcube sim all-to-all --shape 8x8x8                 512 servers in virtual time, no host needed
            camcube service call diagnostics ping to=2,1,2       a command of a service
            camcube service check MyService.dll                  would its runs be reproducible?
            camcube experiment all --quick --out results         the papers' figures again, with pictures
            sudo camcube testbed up                              27 processes on 81 virtual cables (Linux)

            Servers are named by rank (13) or coordinate (1,1,1), directions +x or px, -x or mx, and so on.
            Exit codes: 0 done, 1 a host or service could not do it, 2 wrong usage or no host answers, 3 unavailable.
            """;
        HashSet<Command> hostless =
        [
            run,
            dev,
            topology,
            .. topology.Subcommands.Where(static sub => sub.Name != TreesCommand.Name),
            sim,
            .. sim.Subcommands,
            .. service.Subcommands.Where(static sub => sub.Name is "check" or ServiceDissectorCommand.Name),
            experiment,
            testbed,
            .. testbed.Subcommands,
            .. testbed.Subcommands.SelectMany(sub => sub.Subcommands),
        ];
        var help = new HelpWithExamples(examples, command => hostless.Contains(command) ? common.Host : null);
        root.Options.OfType<HelpOption>().Single().Action = help;

        // Alone, the tool introduces itself; unlike with --help, a wrong command stays wrong.
        root.SetAction(help.Invoke);
        return root;
    }

    private static string? WrongUsage(ParseResult parsed)
    {
        if (parsed.Errors.Count == 0)
        {
            return null;
        }

        string what =
            parsed.UnmatchedTokens.Count > 0
                ? $"'{parsed.UnmatchedTokens[0]}' is no command, option or argument here."
                : parsed.Errors[0].Message;
        return $"{what} See '{PathOf(parsed)} --help'.";
    }

    private static string PathOf(ParseResult parsed)
    {
        var names = new Stack<string>();
        for (System.CommandLine.Parsing.SymbolResult? at = parsed.CommandResult; at is not null; at = at.Parent)
        {
            if (at is System.CommandLine.Parsing.CommandResult { Command: not RootCommand } command)
            {
                names.Push(command.Command.Name);
            }
        }

        return string.Join(' ', names.Prepend("camcube"));
    }

    private static int End(TextWriter error, int exitCode, string line)
    {
        error.WriteLine($"camcube: {line}");
        return exitCode;
    }
}
