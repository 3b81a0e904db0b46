using System.CommandLine;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Files;

/// <summary><c>camcube files get</c> and <c>cat</c>.</summary>
internal static class GetCommands
{
    /// <summary><c>get</c>.</summary>
    public static Command Get(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string> path = new("PATH") { Description = "A path in the store; with *, ?, [a-c] and {a,b}." };
        Argument<string> target = new("FILE")
        {
            Description = "Where to on this machine; here if not given.",
            Arity = ArgumentArity.ZeroOrOne,
            DefaultValueFactory = static _ => ".",
        };
        Command command = file.AddTo(
            new Command("get", "Fetches files, and checks them; directories with all that is in them.") { path, target }
        );
        examples[command] = """
            camcube files get /logs/today.log                as today.log
            camcube files get '/logs/*.log' logs
            camcube files get /backup /tmp/backup --json     a line for each file
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string to = parsed.GetRequiredValue(target);
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                IReadOnlyList<FileFacts> found = await FileOptions.FindAsync(
                    client,
                    [parsed.GetRequiredValue(path)],
                    cancel
                );
                bool isInto = found.Count > 1 || Directory.Exists(to) || to.EndsWith(Path.DirectorySeparatorChar);
                foreach (FileFacts at in found)
                {
                    string place = isInto ? Path.Combine(to, at.Name) : to;
                    foreach (FileFacts one in await client.FilesBelowAsync(at, cancel))
                    {
                        string below = one.Path[at.Path.Length..].TrimStart('/');
                        await GetAsync(parsed, common, client, one, Path.Combine(place, below).TrimEnd('/'), cancel);
                    }
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>cat</c>.</summary>
    public static Command Cat(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string[]> paths = FileOptions.Paths();
        Command command = file.AddTo(new Command("cat", "Prints files, byte by byte, one behind the other.") { paths });
        examples[command] = """
            camcube files cat /logs/today.log
            camcube files cat '/out/part-*' | sort
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                IReadOnlyList<FileFacts> all = await FileOptions.FindAsync(
                    client,
                    parsed.GetRequiredValue(paths),
                    cancel
                );
                if (all.FirstOrDefault(static one => one.IsDirectory) is { } directory)
                {
                    throw new ToolException(ExitCode.Failed, $"{directory.Path} is a directory.");
                }

                foreach (FileFacts one in all)
                {
                    await ReadAsync(
                        client,
                        one,
                        new HashedStream(Console.OpenStandardOutput()),
                        new MovingBytes(static _ => { }),
                        cancel
                    );
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary>Reads a file and checks its SHA-256.</summary>
    public static async Task ReadAsync(
        FilesClient client,
        FileFacts one,
        HashedStream into,
        MovingBytes moving,
        CancellationToken cancel
    )
    {
        await client.GetAsync(one.Path, _ => into, moving, cancel);
        if (into.Sum != one.Sha256)
        {
            throw new ToolException(
                ExitCode.Failed,
                $"{one.Path}: its bytes have SHA-256 {into.Sum}, and {one.Sha256} was stored; they are wrong, or "
                    + "another file has come in its place."
            );
        }
    }

    private static async Task GetAsync(
        ParseResult parsed,
        CommonOptions common,
        FilesClient client,
        FileFacts one,
        string to,
        CancellationToken cancel
    )
    {
        using var progress = new ByteProgress(parsed.InvocationConfiguration.Error);
        Stream stream = LocalFiles.Try(
            to,
            () =>
            {
                Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(to))!);
                return File.Create(LocalFiles.PartOf(to));
            }
        );
        await ReadAsync(client, one, new HashedStream(stream), new MovingBytes(progress.Show), cancel);
        LocalFiles.Finish(to);
        progress.Dispose();
        var json = new JsonObject
        {
            ["path"] = one.Path,
            ["file"] = to,
            ["bytes"] = one.Bytes,
            ["sha256"] = one.Sha256,
        };
        JsonOrText.Print(parsed, common, json.ToJsonString(ToolJson.Options), $"{to}, {Report.Count(one.Bytes)} bytes");
    }
}
