using System.CommandLine;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands.Files;

/// <summary><c>camcube files ls</c>, <c>du</c> and <c>stat</c>.</summary>
internal static class ListCommands
{
    /// <summary><c>ls</c>.</summary>
    public static Command List(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string[]> paths = new("PATH")
        {
            Description = "Paths in the store; with *, ?, [a-c] and {a,b}. The root directory if not given.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        Option<bool> recursive = new("-R", "--recursive") { Description = "Directories with all that is in them" };
        Command command = file.AddTo(
            new Command("ls", "Lists files, and what is in directories.") { paths, recursive }
        );
        examples[command] = """
            camcube files ls /logs
            camcube files ls -R '/logs/2026-1[0-2]*'
            camcube files ls /logs --json | jq -r .path      a line for each
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                string[] wanted = parsed.GetValue(paths) is { Length: > 0 } some ? some : ["/"];
                List<FileFacts> shown = [];
                foreach (FileFacts at in await FileOptions.FindAsync(client, wanted, cancel))
                {
                    await AddAsync(client, at, parsed.GetValue(recursive), shown, cancel);
                }

                JsonOrText.Print(
                    parsed,
                    common,
                    string.Join('\n', shown.Select(ToolJson.Of)),
                    report => Show(report, shown)
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>du</c>.</summary>
    public static Command Usage(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string[]> paths = FileOptions.Paths();
        Command command = file.AddTo(
            new Command("du", "Says how many files and bytes there are, one copy of each.") { paths }
        );
        examples[command] = """
            camcube files du /logs
            camcube files du '/*' --json                     a line for each
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                var rows = new List<(string Path, int Files, long Bytes)>();
                foreach (FileFacts at in await FileOptions.FindAsync(client, parsed.GetRequiredValue(paths), cancel))
                {
                    IReadOnlyList<FileFacts> all = await client.FilesBelowAsync(at, cancel);
                    rows.Add((at.Path, all.Count, all.Sum(static one => one.Bytes)));
                }

                JsonOrText.Print(
                    parsed,
                    common,
                    string.Join(
                        '\n',
                        rows.Select(static row =>
                            new JsonObject
                            {
                                ["path"] = row.Path,
                                ["files"] = row.Files,
                                ["bytes"] = row.Bytes,
                            }.ToJsonString(ToolJson.Options)
                        )
                    ),
                    report =>
                    {
                        Table table = Report.Table(">bytes", ">files", "path");
                        foreach ((string path, int files, long bytes) in rows)
                        {
                            Report.Row(table, Report.Count(bytes), Report.Count(files), path);
                        }

                        report.Print(table);
                    }
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>stat</c>.</summary>
    public static Command Stat(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string> path = new("PATH") { Description = "A path in the store." };
        Command command = file.AddTo(
            new Command("stat", "Shows what there is of a path, and on which servers.") { path }
        );
        examples[command] = """
            camcube files stat /logs/today.log
            camcube files stat /logs/today.log --json | jq -r '.chunkList[].servers[0]'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string wanted = FileOptions.PathOf(parsed.GetRequiredValue(path));
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                FileFacts facts = await client.DescribeAsync(wanted, cancel);
                JsonOrText.Print(parsed, common, ToolJson.Of(facts), report => Show(report, facts));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static async Task AddAsync(
        FilesClient client,
        FileFacts at,
        bool isRecursive,
        List<FileFacts> shown,
        CancellationToken cancel
    )
    {
        if (!at.IsDirectory)
        {
            shown.Add(at);
            return;
        }

        foreach (FileFacts one in await client.ListAsync(at.Path, cancel))
        {
            shown.Add(one);
            if (isRecursive && one.IsDirectory)
            {
                await AddAsync(client, one, isRecursive, shown, cancel);
            }
        }
    }

    private static void Show(Report report, List<FileFacts> all)
    {
        Table table = Report.Table(">bytes", "made", "path");
        foreach (FileFacts one in all)
        {
            Report.Row(
                table,
                one.IsDirectory ? "-" : Report.Count(one.Bytes),
                one.Created is { Length: > 19 } made ? made[..19].Replace('T', ' ') : "",
                one.Path + (one.IsDirectory ? "/" : "")
            );
        }

        report.Print(table);
        report.Line($"{Report.Count(all.Count)} {(all.Count == 1 ? "entry" : "entries")}");
    }

    private static void Show(Report report, FileFacts facts)
    {
        if (facts.IsDirectory)
        {
            report.Line($"{facts.Path} is a directory{(facts.Created is null ? "" : $", made {facts.Created}")}");
            return;
        }

        report.Line($"{facts.Path}, {Report.Count(facts.Bytes)} bytes");
        report.Line($"made {facts.Created}, version {facts.Version}");
        report.Line(facts.MediaType is { Length: > 0 } media ? media : "of a type that nobody has said");
        report.Line($"sha256 {facts.Sha256}");
        if (facts.ChunkList is not { Count: > 0 } chunks)
        {
            return;
        }

        Table table = Report.Table(">from", ">bytes", "servers");
        foreach (JsonNode? chunk in chunks)
        {
            Report.Row(
                table,
                Report.Count((long)chunk!["offset"]!),
                Report.Count((long)chunk["bytes"]!),
                string.Join(' ', ((JsonArray)chunk["servers"]!).Select(static one => $"{one}"))
            );
        }

        report.Print(table);
    }
}
