using System.CommandLine;
using System.Text;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary>What the commands about one key, or about the keys that begin alike, have in common. One object for each
/// command.</summary>
/// <param name="common">Options of all commands.</param>
/// <param name="isPrefix">It is about keys that begin alike.</param>
internal sealed class KeyOptions(CommonOptions common, bool isPrefix = false)
{
    private readonly Argument<string?> _key = new(isPrefix ? "PREFIX" : "KEY")
    {
        Description = isPrefix
            ? "What the keys begin with: text, which is taken in UTF-8; all without it."
            : "The key: text, which is taken in UTF-8.",
        Arity = isPrefix ? ArgumentArity.ZeroOrOne : ArgumentArity.ExactlyOne,
    };
    private readonly Option<bool> _hex = new("--hex")
    {
        Description = $"{(isPrefix ? "PREFIX" : "KEY")} is in hexadecimal digits, for other bytes",
    };
    private readonly Option<int> _table = Values.Whole("--table", isPrefix ? "Their table" : "Its table", 0, 0, 15);
    private readonly Option<ServerName?> _at = Values.Optional<ServerName>(
        "--at",
        "SERVER",
        "The server that is asked; the host's first if not given",
        ServerName.TryParse,
        "is not a server; name it by rank, as in 13, or by coordinate, as in 1,1,1"
    );
    private readonly Option<string> _frontEnd = new("--front-end")
    {
        Description = "The store's front end, as in https://10.0.0.5:8200; without it the host is asked where it is",
        HelpName = "URL",
    };

    /// <summary>Adds them.</summary>
    public Command AddTo(Command command)
    {
        command.Arguments.Insert(0, _key);
        command.Options.Add(_hex);
        command.Options.Add(_table);
        command.Options.Add(_at);
        command.Options.Add(_frontEnd);
        return command;
    }

    /// <summary>The front end.</summary>
    public async Task<KeyValueClient> ConnectAsync(ParseResult parsed, CancellationToken cancel)
    {
        if (parsed.GetValue(_frontEnd) is not { } text)
        {
            return await KeyValueClient.FindAsync(parsed.GetRequiredValue(common.Host), parsed.GetValue(_at), cancel);
        }

        return HostAddress.TryParse(text, out HostAddress address)
            ? new KeyValueClient(address.Root)
            : throw new ToolException(
                ExitCode.Usage,
                $"--front-end {text} is no address such as http://127.0.0.1:8200."
            );
    }

    /// <summary>The key as the front end reads it.</summary>
    public string Query(ParseResult parsed) =>
        QueryOf(isPrefix ? "prefix" : "key", BytesIn(parsed), parsed.GetValue(_table));

    /// <summary>A key, or a prefix, as the front end reads it.</summary>
    /// <param name="name">Which of both it is.</param>
    /// <param name="key">Its bytes.</param>
    /// <param name="table">Its table.</param>
    public static string QueryOf(string name, ReadOnlySpan<byte> key, int table)
    {
        var query = new StringBuilder(name).Append('=');
        foreach (byte one in key)
        {
            query = char.IsAsciiLetterOrDigit((char)one) ? query.Append((char)one) : query.Append($"%{one:X2}");
        }

        return query.Append($"&table={table}").ToString();
    }

    /// <summary>The table.</summary>
    public int TableIn(ParseResult parsed) => parsed.GetValue(_table);

    /// <summary>Whether the command line says which table.</summary>
    public bool HasTable(ParseResult parsed) => parsed.GetResult(_table) is { Implicit: false };

    /// <summary>The bytes of the key.</summary>
    public byte[] BytesIn(ParseResult parsed)
    {
        string text = parsed.GetValue(_key) ?? "";
        try
        {
            return parsed.GetValue(_hex) ? Convert.FromHexString(text) : Encoding.UTF8.GetBytes(text);
        }
        catch (FormatException)
        {
            throw new ToolException(
                ExitCode.Usage,
                $"{_key.Name} {text}: with --hex two digits are wanted for each byte."
            );
        }
    }
}
