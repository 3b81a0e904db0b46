using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>Records as they lie on the disk: a head of 56 bytes, key, extra bytes, value, zeros to a multiple of
/// 8.</summary>
internal static class RecordFormat
{
    public const int HeadLength = 56;

    /// <summary>Where the head has the length of the key, in two bytes.</summary>
    public const int KeyLengthAt = 6;
    private const int SumLength = sizeof(uint);

    public static int Length(int key, int extra, int value) => (HeadLength + key + extra + value + 7) & ~7;

    /// <summary>Adds flags to a record that is to be sealed.</summary>
    public static void AddFlags(Span<byte> record, byte flags) => record[SumLength + 1] |= flags;

    /// <summary>Writes a record without its sum, which needs its place.</summary>
    public static void Write(
        Span<byte> to,
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value
    )
    {
        to[SumLength] = record.Kind;
        to[5] = record.Flags;
        WriteUInt16LittleEndian(to[KeyLengthAt..], (ushort)key.Length);
        WriteUInt32LittleEndian(to[8..], record.Group);
        WriteUInt32LittleEndian(to[12..], (uint)extra.Length);
        WriteUInt32LittleEndian(to[16..], (uint)value.Length);
        WriteUInt32LittleEndian(to[20..], record.Expires);
        WriteUInt64LittleEndian(to[24..], record.Index);
        WriteUInt32LittleEndian(to[32..], record.Generation);
        WriteUInt32LittleEndian(to[36..], record.Epoch);
        WriteUInt32LittleEndian(to[40..], record.Term);
        WriteUInt32LittleEndian(to[44..], 0);
        WriteUInt64LittleEndian(to[48..], record.Version);
        Span<byte> rest = to[HeadLength..];
        key.CopyTo(rest);
        extra.CopyTo(rest[key.Length..]);
        value.CopyTo(rest[(key.Length + extra.Length)..]);
        rest[(key.Length + extra.Length + value.Length)..].Clear();
    }

    /// <summary>Sets the sum of a record at its place.</summary>
    public static void Seal(Span<byte> record, uint seed) =>
        WriteUInt32LittleEndian(record, Sectors.Sum(seed, record[SumLength..]));

    /// <summary>The length that a record says it has; 0 if it cannot be.</summary>
    public static int LengthOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < HeadLength)
        {
            return 0;
        }

        (uint extra, uint value) = (ReadUInt32LittleEndian(bytes[12..]), ReadUInt32LittleEndian(bytes[16..]));
        return extra > bytes.Length || value > bytes.Length ? 0
            : Length(ReadUInt16LittleEndian(bytes[KeyLengthAt..]), (int)extra, (int)value) is var length
            && length <= bytes.Length
                ? length
            : 0;
    }

    /// <summary>Whether a record of the length it says is as it was written there.</summary>
    public static bool IsRight(ReadOnlySpan<byte> record, uint seed) =>
        ReadUInt32LittleEndian(record) == Sectors.Sum(seed, record[SumLength..]);

    /// <summary>The same, and what the value sums to by itself: one pass over it is enough for both.</summary>
    /// <param name="record">The record.</param>
    /// <param name="seed">Of its place.</param>
    /// <param name="value">The sum of its value, begun as that of a piece is.</param>
    public static bool IsRight(ReadOnlySpan<byte> record, uint seed, out uint value)
    {
        int length = (int)ReadUInt32LittleEndian(record[16..]),
            at = HeadLength + ReadUInt16LittleEndian(record[KeyLengthAt..]) + (int)ReadUInt32LittleEndian(record[12..]);
        value = PieceList.SumOf(record.Slice(at, length));
        uint before = Sectors.Sum(seed, record[SumLength..at]),
            behind = value ^ SumShift.Over(before ^ PieceList.SumOf([]), length);
        return ReadUInt32LittleEndian(record) == Sectors.Sum(behind, record[(at + length)..]);
    }

    public static LogRecord Read(ReadOnlySpan<byte> record, out Range key, out Range extra, out Range value)
    {
        int atExtra = HeadLength + ReadUInt16LittleEndian(record[KeyLengthAt..]),
            atValue = atExtra + (int)ReadUInt32LittleEndian(record[12..]);
        (key, extra) = (HeadLength..atExtra, atExtra..atValue);
        value = atValue..(atValue + (int)ReadUInt32LittleEndian(record[16..]));
        return new LogRecord
        {
            Kind = record[SumLength],
            Flags = record[5],
            Group = ReadUInt32LittleEndian(record[8..]),
            Expires = ReadUInt32LittleEndian(record[20..]),
            Index = ReadUInt64LittleEndian(record[24..]),
            Generation = ReadUInt32LittleEndian(record[32..]),
            Epoch = ReadUInt32LittleEndian(record[36..]),
            Term = ReadUInt32LittleEndian(record[40..]),
            Version = ReadUInt64LittleEndian(record[48..]),
        };
    }
}
