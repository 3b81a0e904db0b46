using System.Buffers.Binary;
using System.Text;

namespace CamCube.Services.KeyValue.Metadata;

/// <summary>
/// What front ends keep beside a value: its content type, and fields of the client's own. Immutable; any thread. Format
/// 1: a byte 1, then the content type, then names and values of the fields by turns; each of them a length of two bytes
/// (little-endian) and as many characters, all of them visible ASCII or spaces. Other programs may keep other things
/// there: what is not of this format reads as nothing.
/// </summary>
internal sealed record ValueMetadata(string? ContentType, IReadOnlyList<MetadataField> Fields)
{
    /// <summary>Most bytes of all of it.</summary>
    public const int MostBytes = 4_096;

    private const byte Format = 1;

    /// <summary>Nothing.</summary>
    public static ValueMetadata None { get; } = new(null, []);

    /// <summary>Whether a text can be kept: visible ASCII and spaces.</summary>
    public static bool CanKeep(string text) => text.All(c => c is >= ' ' and <= '~');

    /// <summary>What was kept.</summary>
    public static ValueMetadata Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || bytes[0] != Format || !TryTake(ref bytes, 1, out string contentType))
        {
            return None;
        }

        List<MetadataField> fields = [];
        while (!bytes.IsEmpty)
        {
            if (!TryTake(ref bytes, 0, out string name) || name.Length == 0 || !TryTake(ref bytes, 0, out string value))
            {
                return None;
            }

            fields.Add(new MetadataField(name, value));
        }

        return new ValueMetadata(contentType.Length > 0 ? contentType : null, fields);
    }

    /// <summary>It as it is kept; empty: nothing. Everything in it can be kept.</summary>
    public byte[] ToBytes()
    {
        if (ContentType is null && Fields.Count == 0)
        {
            return [];
        }

        MemoryStream bytes = new();
        bytes.WriteByte(Format);
        Put(bytes, ContentType ?? "");
        foreach (MetadataField field in Fields)
        {
            Put(bytes, field.Name);
            Put(bytes, field.Value);
        }

        return bytes.ToArray();
    }

    private static void Put(MemoryStream bytes, string text)
    {
        Span<byte> length = stackalloc byte[sizeof(ushort)];
        BinaryPrimitives.WriteUInt16LittleEndian(length, checked((ushort)text.Length));
        bytes.Write(length);
        bytes.Write(Encoding.ASCII.GetBytes(text));
    }

    private static bool TryTake(ref ReadOnlySpan<byte> bytes, int skip, out string text)
    {
        text = "";
        if (bytes.Length < skip + sizeof(ushort))
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(bytes[skip..]);
        bytes = bytes[(skip + sizeof(ushort))..];
        if (length > bytes.Length)
        {
            return false;
        }

        // Anybody may have written it: what no header can have must not come into one.
        text = Encoding.Latin1.GetString(bytes[..length]);
        bytes = bytes[length..];
        return CanKeep(text);
    }
}
