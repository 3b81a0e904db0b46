using System.Buffers.Text;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>Where a list goes on, as a text for clients. A sum over that, the prefix and the cube's shape tells a text
/// that was cut or altered, or belongs to another list.</summary>
internal static class ListCursor
{
    private const byte Format = 1;
    private const int SumLength = sizeof(uint);

    /// <summary>The text.</summary>
    public static string Write(in ListAsk at, ReadOnlySpan<byte> prefix, TorusShape shape)
    {
        var writer = new WireWriter();
        writer.Byte(Format);
        at.Write(writer);
        writer.UInt(Sum(writer.Written, prefix, shape));
        return Base64Url.EncodeToString(writer.Written);
    }

    /// <summary>False: it is none of this list.</summary>
    public static bool TryRead(string text, int table, ReadOnlySpan<byte> prefix, TorusShape shape, out ListAsk at)
    {
        at = default;
        Span<byte> bytes = stackalloc byte[64];
        if (
            text.Length > bytes.Length
            || !Base64Url.IsValid(text)
            || !Base64Url.TryDecodeFromChars(text, bytes, out int length)
            || length <= SumLength
        )
        {
            return false;
        }

        ReadOnlySpan<byte> content = bytes[..(length - SumLength)];
        var sum = new WireReader(bytes[content.Length..length]);
        return content[0] == Format
            && sum.UInt() == Sum(content, prefix, shape)
            && ListAsk.TryRead(content[1..], out at)
            && new GroupId(at.Group) is var group
            && group.Table == table
            && group.IsIn(shape)
            && Base64Url.EncodeToString(bytes[..length]) == text;
    }

    private static uint Sum(ReadOnlySpan<byte> content, ReadOnlySpan<byte> prefix, TorusShape shape)
    {
        uint sum = Sectors.Sum((uint)((shape.X * 31 + shape.Y) * 31 + shape.Z), content);
        return Sectors.Sum(sum, prefix);
    }
}
