using System.CommandLine;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Files;

/// <summary><c>camcube files verify</c>.</summary>
internal static class VerifyCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string[]> paths = FileOptions.Paths();
        Command command = file.AddTo(
            new Command("verify", "Reads files whole, and compares them with the SHA-256 they were stored with.")
            {
                paths,
            }
        );
        examples[command] = """
            camcube files verify /                           all of them; exit code 1 if one is wrong or away
            camcube files verify /logs --json                a line for each
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                int wrong = 0,
                    all = 0;
                long bytes = 0;
                var report = new Report(parsed.InvocationConfiguration.Output);
                using var progress = new ByteProgress(parsed.InvocationConfiguration.Error);
                foreach (FileFacts at in await FileOptions.FindAsync(client, parsed.GetRequiredValue(paths), cancel))
                {
                    foreach (FileFacts one in await client.FilesBelowAsync(at, cancel))
                    {
                        string? why = await WrongOfAsync(
                            client,
                            one,
                            new MovingBytes(moved => progress.Show(bytes + moved)),
                            cancel
                        );
                        (all, wrong, bytes) = (all + 1, wrong + (why is null ? 0 : 1), bytes + one.Bytes);
                        if (parsed.GetValue(common.Json))
                        {
                            var json = new JsonObject
                            {
                                ["path"] = one.Path,
                                ["bytes"] = one.Bytes,
                                ["right"] = why is null,
                                ["why"] = why,
                            };
                            report.Line(json.ToJsonString(ToolJson.Options));
                        }
                        else if (why is not null)
                        {
                            report.Line(why);
                        }
                    }
                }

                progress.Dispose();
                if (!parsed.GetValue(common.Json))
                {
                    report.Line($"{Report.Count(all)} files, {Report.Count(bytes)} bytes, {wrong} wrong or away");
                }

                return wrong == 0 ? ExitCode.Ok : ExitCode.Failed;
            }
        );
        return command;
    }

    private static async Task<string?> WrongOfAsync(
        FilesClient client,
        FileFacts one,
        MovingBytes moving,
        CancellationToken cancel
    )
    {
        try
        {
            await GetCommands.ReadAsync(client, one, new HashedStream(Stream.Null), moving, cancel);
            return null;
        }
        catch (ToolException e)
        {
            return e.Message.StartsWith(one.Path, StringComparison.Ordinal) ? e.Message : $"{one.Path}: {e.Message}";
        }
    }
}
