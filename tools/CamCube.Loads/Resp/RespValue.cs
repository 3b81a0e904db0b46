using System.Globalization;
using System.Text;

namespace CamCube.Loads.Resp;

/// <summary>An answer of its own memory.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Bytes">Its text or bytes.</param>
/// <param name="Number">Of a number: that.</param>
/// <param name="Elements">Of an array: those.</param>
public sealed record RespValue(RespKind Kind, byte[] Bytes, long Number, IReadOnlyList<RespValue> Elements)
{
    /// <summary>Its text.</summary>
    public string Text => Encoding.UTF8.GetString(Bytes);

    /// <summary>Whether it is nothing.</summary>
    public bool IsNull => Kind == RespKind.Null;

    /// <summary>Whether it is the word OK.</summary>
    public bool IsOk => Kind == RespKind.Simple && Bytes.AsSpan().SequenceEqual("OK"u8);

    /// <summary>Whether it is an error of a kind, which is its first word.</summary>
    public bool IsError(string kind) =>
        Kind == RespKind.Error && (Text == kind || Text.StartsWith(kind + " ", StringComparison.Ordinal));

    /// <summary>Copies an answer.</summary>
    /// <param name="bytes">What was received.</param>
    /// <param name="head">The answer at its beginning.</param>
    public static RespValue Of(ReadOnlySpan<byte> bytes, RespHead head)
    {
        if (head.Kind != RespKind.Array)
        {
            return new RespValue(head.Kind, head.In(bytes).ToArray(), head.Number, []);
        }

        // It is all there: its elements can be read one after the other.
        List<RespValue> elements = [];
        ReadOnlySpan<byte> rest = bytes[head.At..];
        while (elements.Count < head.Length && RespReader.TryRead(rest, out RespHead element) == RespOutcome.Taken)
        {
            elements.Add(Of(rest, element));
            rest = rest[element.Taken..];
        }

        return new RespValue(RespKind.Array, [], 0, elements);
    }

    /// <inheritdoc/>
    public override string ToString() =>
        Kind switch
        {
            RespKind.Integer => Number.ToString(CultureInfo.InvariantCulture),
            RespKind.Null => "nothing",
            RespKind.Array => $"[{string.Join(", ", Elements)}]",
            RespKind.Error => "error " + Text,
            _ => Text,
        };
}
