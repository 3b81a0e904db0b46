using System.CommandLine;
using CamCube.Tool.Commands.Camdoop.Streaming;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary><c>camcube camdoop</c>: MapReduce with programs, by the options of Hadoop Streaming.</summary>
internal static class CamdoopCommand
{
    /// <summary>Environment variable with who asks, as Hadoop has it; the user of the process without it.</summary>
    public const string UserVariable = "HADOOP_USER_NAME";

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string[]> rest = new("OPTIONS")
        {
            Description = "Options of Hadoop Streaming, as -help lists them.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var command = new Command("camdoop", "Runs programs that read and write lines as a MapReduce job.") { rest };
        examples[command] = """
            camcube camdoop -input /logs -output /out -mapper 'cut -f1' -reducer 'uniq -c'
            camcube camdoop -files wc.py -input /logs/*.gz -output /out -mapper 'python3 wc.py' -reducer aggregate
            camcube camdoop -assembly Shop.dll -mapper-type Shop.Lines -reducer-type Shop.Sum -input /in -output /out
            camcube camdoop -help                            all options and properties
            """;
        foreach (Command one in JobCommands.All(common, examples))
        {
            command.Subcommands.Add(one);
        }

        command.Subcommands.Add(GenerateCommand.Create(common, examples));
        command.SetAction((parsed, cancel) => RunAsync(parsed, common, parsed.GetValue(rest) ?? [], cancel));
        return command;
    }

    /// <summary>Runs a job by Hadoop Streaming's options. Answers the exit code.</summary>
    public static async Task<int> RunAsync(
        ParseResult parsed,
        CommonOptions common,
        IReadOnlyList<string> arguments,
        CancellationToken cancel
    )
    {
        if (StreamingParser.Parse(arguments, Home()) is not { } job)
        {
            foreach (string line in StreamingHelp.Lines())
            {
                await parsed.InvocationConfiguration.Output.WriteLineAsync(line);
            }

            return ExitCode.Ok;
        }

        using ICamdoopClient client = await CamdoopClients.ConnectAsync(parsed.GetRequiredValue(common.Host), cancel);
        // As Hadoop's client: all that others read of a job is on standard error.
        var run = new StreamingRun(client, TimeProvider.System, parsed.InvocationConfiguration.Error.WriteLine);
        return await run.RunAsync(job, $"{Home()}/.staging/{Guid.NewGuid():N}", cancel);
    }

    /// <summary>The user's directory in the file store.</summary>
    public static string Home()
    {
        string? named = Environment.GetEnvironmentVariable(UserVariable);
        return StorePath.HomeOf(string.IsNullOrEmpty(named) ? Environment.UserName : named);
    }
}
