using System.CommandLine;
using CamCube.Services.Files;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Files;

/// <summary>What the commands about files have in common. One object for each command.</summary>
/// <param name="common">Options of all commands.</param>
internal sealed class FileOptions(CommonOptions common)
{
    private readonly Option<ServerName?> _at = Values.Optional<ServerName>(
        "--at",
        "SERVER",
        "The server that is asked; the host's first if not given",
        ServerName.TryParse,
        "is not a server; name it by rank, as in 13, or by coordinate, as in 1,1,1"
    );
    private readonly Option<string> _frontEnd = new("--front-end")
    {
        Description = "The store's front end, as in https://10.0.0.5:8400; without it the host is asked where it is",
        HelpName = "URL",
    };

    /// <summary>Adds them.</summary>
    public Command AddTo(Command command)
    {
        command.Options.Add(_at);
        command.Options.Add(_frontEnd);
        return command;
    }

    /// <summary>The front end.</summary>
    public async Task<FilesClient> ConnectAsync(ParseResult parsed, CancellationToken cancel)
    {
        if (parsed.GetValue(_frontEnd) is not { } text)
        {
            return new FilesClient(
                await FrontEndFinder.FindAsync(
                    parsed.GetRequiredValue(common.Host),
                    parsed.GetValue(_at),
                    FilesClient.FrontEnd,
                    FilesClient.HasNone,
                    cancel
                )
            );
        }

        return HostAddress.TryParse(text, out HostAddress address)
            ? new FilesClient(address.Root)
            : throw new ToolException(
                ExitCode.Usage,
                $"--front-end {text} is no address such as http://127.0.0.1:8400."
            );
    }

    /// <summary>An argument for paths in the store, with patterns.</summary>
    public static Argument<string[]> Paths() =>
        new("PATH")
        {
            Description = "Paths in the store; with *, ?, [a-c] and {a,b}.",
            Arity = ArgumentArity.OneOrMore,
        };

    /// <summary>A path as it is in the store: with a slash in front, and none behind.</summary>
    public static string PathOf(string text, bool allowsPatterns = false)
    {
        string path = FilePath.Root + text.Trim('/');
        return (allowsPatterns && FilePattern.IsPattern(path)) || FilePath.WrongOf(path) is not { } wrong
            ? path
            : throw new ToolException(ExitCode.Usage, $"{text}: {wrong}");
    }

    /// <summary>All that some paths with patterns mean.</summary>
    public static async Task<IReadOnlyList<FileFacts>> FindAsync(
        FilesClient client,
        IEnumerable<string> paths,
        CancellationToken cancel
    )
    {
        List<FileFacts> all = [];
        foreach (string path in paths)
        {
            try
            {
                all.AddRange(await client.FindAsync(PathOf(path, allowsPatterns: true), cancel));
            }
            catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
            {
                throw new ToolException(e.ExitCode, $"{path}: {e.Message}");
            }
        }

        return all;
    }
}
