using System.Text.Json;
using System.Text.Json.Serialization;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>
/// A line of a file that keys were exported to (docs/key-value.md): what file it is; a key with its value; a key whose
/// value follows in pieces; a piece; where the list goes on behind it; the end. In JSON, all of it.
/// </summary>
internal sealed record ExportLine
{
    /// <summary>What the first line says.</summary>
    public const string Name = "camcube-kv 1";

    /// <summary>Longer values follow in pieces.</summary>
    public const int MostInLine = 64 << 10;

    /// <summary>Bytes of each piece but the last.</summary>
    public const int PieceBytes = 192 << 10;

    private static readonly JsonSerializerOptions Json = new(ToolJson.Options)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    };

    /// <summary>Of the first line: <see cref="Name"/>.</summary>
    public string? Format { get; init; }

    /// <summary>Of the first line: the table.</summary>
    public int? Table { get; init; }

    /// <summary>Of the first line: what the keys begin with, in hexadecimal digits.</summary>
    public string? Prefix { get; init; }

    /// <summary>The key; null: it is no text.</summary>
    public string? Key { get; init; }

    /// <summary>The key in hexadecimal digits then.</summary>
    public string? Hex { get; init; }

    /// <summary>The version that it had.</summary>
    public string? Version { get; init; }

    /// <summary>What the value is.</summary>
    public string? Type { get; init; }

    /// <summary>What else is kept beside it.</summary>
    public SortedDictionary<string, string>? Fields { get; init; }

    /// <summary>How many seconds it was there yet; null: until it is deleted.</summary>
    public uint? Expires { get; init; }

    /// <summary>The value.</summary>
    public byte[]? Value { get; init; }

    /// <summary>Bytes of a value that follows in pieces.</summary>
    public long? Length { get; init; }

    /// <summary>A piece.</summary>
    public byte[]? Piece { get; init; }

    /// <summary>Where the list goes on: all before it is in the file.</summary>
    public string? Cursor { get; init; }

    /// <summary>Of the last line: how many keys there are.</summary>
    public long? End { get; init; }

    /// <summary>It is a key, with its value or in front of it.</summary>
    [JsonIgnore]
    public bool IsKey => (Key ?? Hex) is not null;

    /// <summary>The line.</summary>
    public override string ToString() => JsonSerializer.Serialize(this, Json);

    /// <summary>Reads a line.</summary>
    /// <param name="line">The line in UTF-8.</param>
    /// <param name="number">Its number, for what is said.</param>
    public static ExportLine Read(ReadOnlyMemory<byte> line, long number)
    {
        ExportLine? read = null;
        string why = "it is null";
        try
        {
            read = JsonSerializer.Deserialize<ExportLine>(line.Span, Json);
        }
        catch (JsonException e)
        {
            why = e.Message;
        }

        int kinds = read is null
            ? 0
            : (read.Format is null ? 0 : 1)
                + (read.IsKey ? 1 : 0)
                + (read.Piece is null ? 0 : 1)
                + (read.Cursor is null ? 0 : 1)
                + (read.End is null ? 0 : 1);
        bool isRight =
            kinds == 1 && (!read!.IsKey || (read.Key is null != read.Hex is null && read.IsWhole() && read.HasBytes()));
        return isRight
            ? read!
            : throw new ToolException(
                ExitCode.Usage,
                $"line {number} is none that an export has{(read is null ? $": {why}" : "")}."
            );
    }

    /// <summary>The bytes of the key.</summary>
    public byte[] KeyBytes() => Key is null ? Convert.FromHexString(Hex!) : System.Text.Encoding.UTF8.GetBytes(Key);

    private bool IsWhole() =>
        ulong.TryParse(Version, out ulong version)
        && version > 0
        && (Value is null) != (Length is null)
        && Length is not < 0;

    private bool HasBytes() => Hex is null || (Hex.Length % 2 == 0 && Hex.Length > 0 && Hex.All(char.IsAsciiHexDigit));
}
