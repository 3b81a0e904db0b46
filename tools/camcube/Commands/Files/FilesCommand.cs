using System.CommandLine;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Files;

/// <summary><c>camcube files</c>: files and directories of the cube.</summary>
internal static class FilesCommand
{
    /// <summary>The commands.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("files", "The file store: write-once files and directories of the whole cube.")
        {
            PutCommand.Create(common, examples),
            GetCommands.Get(common, examples),
            GetCommands.Cat(common, examples),
            ListCommands.List(common, examples),
            ListCommands.Usage(common, examples),
            ListCommands.Stat(common, examples),
            ChangeCommands.MakeDirectory(common, examples),
            ChangeCommands.Remove(common, examples),
            VerifyCommand.Create(common, examples),
        };
        examples[command] = """
            camcube files put access.log /logs/
            camcube files ls '/logs/*.log'
            camcube files cat /logs/access.log | head
            camcube files rm -r /logs

            Exit codes: 0 done, 1 not found or in the way, 2 wrong input, 3 unavailable or unknown.
            """;
        return command;
    }
}
