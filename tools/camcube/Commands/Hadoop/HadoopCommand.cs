using System.CommandLine;
using CamCube.Tool.Commands.Camdoop;
using CamCube.Tool.Syntax;
using FileOptions = CamCube.Tool.Commands.Files.FileOptions;

namespace CamCube.Tool.Commands.Hadoop;

/// <summary><c>camcube hadoop</c>: what programs that call Hadoop's own command find in its place.</summary>
internal static class HadoopCommand
{
    // Of 2 and more clients use -p and -R.
    private const string Version = "Hadoop 3.3.6";

    /// <summary>The commands.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("hadoop", "Hadoop's commands, for programs that call them.")
        {
            ShowVersion(examples),
            FileSystem(common, examples),
            Jar(common, examples),
        };
        examples[command] = """
            camcube hadoop fs -put access.log hdfs:///logs/
            camcube hadoop version
            camcube hadoop jar hadoop-streaming.jar -input /logs -output /out -mapper cat -reducer 'uniq -c'
            """;
        return command;
    }

    private static Command ShowVersion(Dictionary<Command, string> examples)
    {
        var command = new Command("version", "The version of Hadoop that this is like.");
        examples[command] = """
            camcube hadoop version
            """;
        command.SetAction(parsed =>
        {
            parsed.InvocationConfiguration.Output.WriteLine(Version);
            parsed.InvocationConfiguration.Output.WriteLine("This is CamCube's in its place.");
            return ExitCode.Ok;
        });
        return command;
    }

    private static Command FileSystem(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string[]> rest = new("-COMMAND")
        {
            Description = "A command with its options and paths, as -help lists them.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        Command command = file.AddTo(
            new Command("fs", "The file store, with the words, output and exit codes of Hadoop's file system shell.")
            {
                rest,
            }
        );
        command.Aliases.Add("dfs");
        examples[command] = """
            camcube hadoop fs -ls -R hdfs:///logs
            camcube hadoop fs -cat 'hdfs:///out/part-*' | head
            camcube hadoop fs --front-end http://10.0.0.5:8400 -rm -r /out
            camcube hadoop fs -help                          all its commands

            Exit codes as there: 0 done, 1 one of the paths failed, 255 wrong usage; 2 and 3 no host or store answers.
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var shell = new FsShell(
                    () => file.ConnectAsync(parsed, cancel),
                    CamdoopCommand.Home(),
                    parsed.InvocationConfiguration.Output,
                    parsed.InvocationConfiguration.Error,
                    cancel
                );
                return await shell.RunAsync(parsed.GetValue(rest) ?? []);
            }
        );
        return command;
    }

    private static Command Jar(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string[]> rest = new("JAR OPTIONS")
        {
            Description = "Hadoop Streaming's jar, which need not be there, and its options, as -help lists them.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var command = new Command("jar", "Runs programs of Hadoop Streaming as a job.") { rest };
        examples[command] = """
            camcube hadoop jar hadoop-streaming.jar -help
            camcube hadoop jar hadoop-streaming.jar -input /logs -output /out -mapper cat -reducer 'uniq -c'
            """;
        command.SetAction(
            (parsed, cancel) =>
            {
                string[] all = parsed.GetValue(rest) ?? [];
                return all.Length == 0 || !IsStreaming(all[0])
                    ? throw new ToolException(
                        ExitCode.Usage,
                        $"{(all.Length == 0 ? "there" : all[0])} is no jar that runs here: only Hadoop Streaming's "
                            + "does, which has streaming and .jar in its name."
                    )
                    : CamdoopCommand.RunAsync(parsed, common, all[1..], cancel);
            }
        );
        return command;
    }

    private static bool IsStreaming(string jar)
    {
        string name = Path.GetFileName(jar);
        return name.Contains("streaming", StringComparison.OrdinalIgnoreCase)
            && name.EndsWith(".jar", StringComparison.OrdinalIgnoreCase);
    }
}
