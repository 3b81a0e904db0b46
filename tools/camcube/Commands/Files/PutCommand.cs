using System.CommandLine;
using System.Net.Http.Headers;
using CamCube.Services.Files;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Files;

/// <summary><c>camcube files put</c>.</summary>
internal static class PutCommand
{
    private const string StandardInput = "-";

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var file = new FileOptions(common);
        Argument<string[]> paths = new("FILE... PATH")
        {
            Description = "Files and directories of this machine, - for standard input; last where to in the store.",
            Arity = ArgumentArity.OneOrMore,
        };
        Option<string> type = new("--type") { Description = "What they are, as in text/plain", HelpName = "TYPE" };
        Command command = file.AddTo(
            new Command("put", "Stores files; directories with all that is in them.") { paths, type }
        );
        examples[command] = """
            camcube files put access.log /logs/today.log     as today.log
            camcube files put *.log /logs/                   into /logs, which is made
            tar c photos | camcube files put - /photos.tar
            camcube files put photos /backup --json          a line for each file
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string[] all = parsed.GetRequiredValue(paths);
                if (all.Length < 2)
                {
                    throw new ToolException(ExitCode.Usage, "FILE and PATH are wanted, as in: files put a.txt /a.txt");
                }

                MediaTypeHeaderValue? media = null;
                if (parsed.GetValue(type) is { } text && !MediaTypeHeaderValue.TryParse(text, out media))
                {
                    throw new ToolException(ExitCode.Usage, $"--type {text} is no type such as text/plain.");
                }

                string target = FileOptions.PathOf(all[^1]);
                using FilesClient client = await file.ConnectAsync(parsed, cancel);
                bool isInto =
                    all.Length > 2
                    || all[^1].EndsWith('/')
                    || await client.TryDescribeAsync(target, cancel) is { IsDirectory: true };
                foreach (string source in all[..^1])
                {
                    string path = isInto ? FilePath.Join(target, NameOf(source)) : target;
                    foreach ((string from, string to) in Files(source, path))
                    {
                        await PutAsync(parsed, common, client, from, to, media, cancel);
                    }
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static async Task PutAsync(
        ParseResult parsed,
        CommonOptions common,
        FilesClient client,
        string from,
        string to,
        MediaTypeHeaderValue? media,
        CancellationToken cancel
    )
    {
        using var progress = new ByteProgress(parsed.InvocationConfiguration.Error);
        var moving = new MovingBytes(progress.Show);
        FileFacts made;
        try
        {
            using HttpContent content = new MovingContent(Open(from), moving);
            content.Headers.ContentType = media;
            made = await client.PutAsync(FileOptions.PathOf(to), content, moving, cancel);
        }
        catch (ToolException e)
        {
            throw new ToolException(e.ExitCode, $"{to}: {e.Message}");
        }

        progress.Dispose();
        JsonOrText.Print(
            parsed,
            common,
            ToolJson.Of(made),
            $"{made.Path}, {Report.Count(made.Bytes)} bytes in {made.Chunks} {(made.Chunks == 1 ? "chunk" : "chunks")}"
        );
    }

    private static Stream Open(string from) =>
        from == StandardInput ? Console.OpenStandardInput() : LocalFiles.Try(from, () => File.OpenRead(from));

    private static string NameOf(string source)
    {
        string name = Path.GetFileName(Path.GetFullPath(source));
        return source == StandardInput || name.Length == 0
            ? throw new ToolException(ExitCode.Usage, $"{source} has no name: say one in PATH.")
            : name;
    }

    // In the order of their names, so that two runs do the same.
    private static IEnumerable<(string From, string To)> Files(string source, string path)
    {
        if (source == StandardInput || !Directory.Exists(source))
        {
            return [(source, path)];
        }

        return LocalFiles.Try(
            source,
            () =>
                Directory
                    .EnumerateFiles(source, "*", SearchOption.AllDirectories)
                    .Order(StringComparer.Ordinal)
                    .Select(one => (one, FilePath.Join(path, Path.GetRelativePath(source, one).Replace('\\', '/'))))
                    .ToArray()
        );
    }
}
