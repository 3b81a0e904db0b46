using System.Buffers.Text;
using System.Text;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>
/// One command on keys as its function sees it: arguments, the keys that were read for it, and where its answer goes.
/// Such a function is pure: it may be called again with what is there then. Loop only.
/// </summary>
internal sealed class DataCall
{
    /// <summary>The keys that were read.</summary>
    public Keyspace Keys { get; set; } = null!;

    /// <summary>The command's arguments, its name first.</summary>
    public RequestArguments Arguments { get; set; } = null!;

    /// <summary>Its answer.</summary>
    public Reply Reply { get; set; } = null!;

    /// <summary>Its table.</summary>
    public int Table { get; set; }

    /// <summary>Milliseconds since 1970, for times that are given so.</summary>
    public long NowMillis { get; set; }

    /// <summary>Longest value.</summary>
    public int MaxValueLength { get; set; }

    /// <summary>Arguments, the name included.</summary>
    public int Count => Arguments.Count;

    /// <summary>An argument.</summary>
    public ReadOnlySpan<byte> this[int index] => Arguments[index];

    /// <summary>The name of the command in small letters, for errors.</summary>
    public string Name => Encoding.UTF8.GetString(Arguments[0]).ToLowerInvariant();

    /// <summary>The key that an argument names; it was declared.</summary>
    public KeyEntry KeyAt(int index) => Keys[KeyValueKey.ToKey(Table, Arguments[index])];

    /// <summary>Whether an argument is a word, whatever its letters' case.</summary>
    public bool Is(int index, ReadOnlySpan<byte> word) => Ascii.EqualsIgnoreCase(Arguments[index], word);

    /// <summary>Reads a number; false: an error was answered.</summary>
    public bool TryInteger(int index, out long number)
    {
        if (TryRead(Arguments[index], out number))
        {
            return true;
        }

        Reply.Error(Errors.NoInteger);
        return false;
    }

    /// <summary>A number of 64 bits with sign as Redis reads it: <c>-</c> or nothing, and no zeros in front.</summary>
    public static bool TryRead(ReadOnlySpan<byte> text, out long number) =>
        Utf8Parser.TryParse(text, out number, out int read)
        && read == text.Length
        && text[0] != (byte)'+'
        && (text[0] != (byte)'0' || text.Length == 1)
        && (text[0] != (byte)'-' || text[1] != (byte)'0');
}
