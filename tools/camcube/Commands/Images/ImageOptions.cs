using System.CommandLine;
using CamCube.Services.Images;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Images;

/// <summary>What the commands about images have in common. One object for each command.</summary>
/// <param name="common">Options of all commands.</param>
internal sealed class ImageOptions(CommonOptions common)
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
        Description = "The store's front end, as in https://10.0.0.5:8300; without it the host is asked where it is",
        HelpName = "URL",
    };
    private readonly Option<string> _key = Key();

    /// <summary>Adds them.</summary>
    public Command AddTo(Command command)
    {
        command.Options.Add(_at);
        command.Options.Add(_frontEnd);
        command.Options.Add(_key);
        return command;
    }

    /// <summary>The front end.</summary>
    public async Task<ImagesClient> ConnectAsync(ParseResult parsed, CancellationToken cancel, bool mustSign = false)
    {
        byte[]? key = ReadKey(parsed.GetValue(_key));
        if (mustSign && key is null)
        {
            throw new ToolException(ExitCode.Usage, "--key FILE is wanted: what addresses are signed with.");
        }

        if (parsed.GetValue(_frontEnd) is not { } text)
        {
            Uri found = await FrontEndFinder.FindAsync(
                parsed.GetRequiredValue(common.Host),
                parsed.GetValue(_at),
                ImagesClient.FrontEnd,
                ImagesClient.HasNone,
                cancel
            );
            return new ImagesClient(found, key);
        }

        return new ImagesClient(RootOf(text), key);
    }

    /// <summary>--key.</summary>
    public static Option<string> Key() =>
        new("--key")
        {
            Description = "The file with the key that addresses are signed with, where they have to be",
            HelpName = "FILE",
        };

    /// <summary>A front end by its address.</summary>
    public static Uri RootOf(string text) =>
        HostAddress.TryParse(text, out HostAddress address)
            ? address.Root
            : throw new ToolException(
                ExitCode.Usage,
                $"--front-end {text} is no address such as http://127.0.0.1:8300."
            );

    /// <summary>The argument that names an image.</summary>
    public static Argument<string> Name() => new("NAME") { Description = "The image, by its name." };

    /// <summary>The name, if it may be one.</summary>
    public static string NameIn(ParseResult parsed, Argument<string> argument)
    {
        string name = parsed.GetRequiredValue(argument);
        return ImageName.WrongOf(name) is { } wrong ? throw new ToolException(ExitCode.Usage, $"NAME: {wrong}") : name;
    }

    /// <summary>The key in a file; null if there is none.</summary>
    public static byte[]? ReadKey(string? file)
    {
        if (file is null)
        {
            return null;
        }

        try
        {
            return ImageSignature.ReadKey(File.ReadAllText(file))
                ?? throw new ToolException(
                    ExitCode.Usage,
                    $"--key {file}: a key has {ImageSignature.LeastKey} bytes at least."
                );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ToolException(ExitCode.Usage, $"--key {file}: {e.Message}");
        }
    }
}
