using System.CommandLine;
using System.Text.Json.Nodes;
using CamCube.Services.Files;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Files;

/// <summary><c>camcube files mkdir</c> and <c>rm</c>.</summary>
internal static class ChangeCommands
{
    /// <summary><c>mkdir</c>.</summary>
    public static Command MakeDirectory(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string[]> paths = new("PATH") { Description = "Where.", Arity = ArgumentArity.OneOrMore };
        Command command = file.AddTo(
            new Command("mkdir", "Makes directories, and those above them that are not there.") { paths }
        );
        examples[command] = """
            camcube files mkdir /logs/2026
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string[] wanted = [.. parsed.GetRequiredValue(paths).Select(static one => FileOptions.PathOf(one))];
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                foreach (string path in wanted)
                {
                    FileFacts made = await client.MakeDirectoryAsync(path, cancel);
                    JsonOrText.Print(parsed, common, ToolJson.Of(made), $"{made.Path} is there");
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>rm</c>.</summary>
    public static Command Remove(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string[]> paths = FileOptions.Paths();
        Option<bool> recursive = new("-r", "--recursive") { Description = "Directories with all that is in them" };
        Option<bool> force = new("-f", "--force") { Description = "What is not there is no error" };
        Command command = file.AddTo(
            new Command("rm", "Removes files, and directories with nothing in them.") { paths, recursive, force }
        );
        examples[command] = """
            camcube files rm /logs/today.log
            camcube files rm -r '/logs/2025-*'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                foreach (string wanted in parsed.GetRequiredValue(paths))
                {
                    foreach (FileFacts one in await FindAsync(client, wanted, parsed.GetValue(force), cancel))
                    {
                        if (one.Path == FilePath.Root)
                        {
                            throw new ToolException(ExitCode.Usage, "the root directory stays.");
                        }

                        await RemoveAsync(client, one, parsed.GetValue(recursive), cancel);
                        var json = new JsonObject { ["path"] = one.Path, ["removed"] = true };
                        JsonOrText.Print(parsed, common, json.ToJsonString(ToolJson.Options), $"{one.Path} is removed");
                    }
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static async Task<IReadOnlyList<FileFacts>> FindAsync(
        FilesClient client,
        string wanted,
        bool isForced,
        CancellationToken cancel
    )
    {
        try
        {
            return await FileOptions.FindAsync(client, [wanted], cancel);
        }
        catch (ToolException e) when (isForced && e.ExitCode == ExitCode.Failed)
        {
            return [];
        }
    }

    private static async Task RemoveAsync(FilesClient client, FileFacts one, bool isRecursive, CancellationToken cancel)
    {
        try
        {
            await client.DeleteAsync(one.Path, isRecursive, cancel);
        }
        catch (ToolException e)
        {
            throw new ToolException(
                e.ExitCode,
                one.IsDirectory && !isRecursive && e.ExitCode == ExitCode.Failed
                    ? $"{one.Path}: the directory has something in it; -r removes that, too."
                    : $"{one.Path}: {e.Message}"
            );
        }
    }
}
