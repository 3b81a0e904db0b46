using System.CommandLine;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Collective;

/// <summary><c>camcube collective</c>: collective operations of a running cube.</summary>
internal static class CollectiveCommand
{
    /// <summary>The command, and those below it.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("collective", "Measures collective operations, and shows groups that have them.")
        {
            BenchCommand.Create(common, examples),
            GroupsCommand.Create(common, examples),
        };
        examples[command] = """
            camcube collective bench
            camcube collective bench --op reduce --bytes 1MiB --type bfloat16 --operator max
            camcube collective groups
            """;
        return command;
    }
}
