using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees;

/// <summary>A record of a sorted sequence: length of the key, length of the value, both as variable-length numbers (7
/// bits a byte, the lowest first), key, value. Keys are ordered by their bytes.</summary>
public static class RecordFormat
{
    /// <summary>Both lengths have at most so many bytes.</summary>
    public const int MostHead = 10;

    private const int MostNumber = 5;

    /// <summary>Bytes of a record.</summary>
    public static int LengthOf(int key, int value) => NumberLength(key) + NumberLength(value) + key + value;

    /// <summary>Writes a record. Returns its length.</summary>
    /// <exception cref="ArgumentException">There is not so much room.</exception>
    public static int Write(Span<byte> to, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        int at = WriteHead(to, key.Length, value.Length);
        key.CopyTo(to[at..]);
        value.CopyTo(to[(at + key.Length)..]);
        return at + key.Length + value.Length;
    }

    /// <summary>Writes the lengths of a record, which go before it. Returns how many bytes they have.</summary>
    /// <param name="to">Room for <see cref="MostHead"/>.</param>
    /// <param name="key">Bytes of its key.</param>
    /// <param name="value">Bytes of its value.</param>
    public static int WriteHead(Span<byte> to, int key, int value)
    {
        int at = Number(to, key);
        return at + Number(to[at..], value);
    }

    /// <summary>Reads where the parts of a record are.</summary>
    /// <param name="from">Its first bytes.</param>
    /// <param name="keyAt">Where its key begins.</param>
    /// <param name="keyLength">How long that is, from 1.</param>
    /// <param name="valueLength">How long its value is, behind the key.</param>
    /// <returns>0: the head is not whole; less: it is none.</returns>
    public static int ReadHead(ReadOnlySpan<byte> from, out int keyAt, out int keyLength, out int valueLength)
    {
        valueLength = 0;
        int first = ReadNumber(from, out keyLength);
        int second = first > 0 ? ReadNumber(from[first..], out valueLength) : first;
        keyAt = first + second;
        return second <= 0 ? second
            : keyLength == 0 ? -1
            : keyAt;
    }

    /// <summary>The order of two keys: that of their bytes, of which mostly the first few say it.</summary>
    internal static int Compare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        if (left.Length >= sizeof(ulong) && right.Length >= sizeof(ulong))
        {
            ulong first = ReadUInt64BigEndian(left);
            ulong other = ReadUInt64BigEndian(right);
            if (first != other)
            {
                return first < other ? -1 : 1;
            }
        }

        return left.SequenceCompareTo(right);
    }

    private static int NumberLength(int number)
    {
        int length = 1;
        for (; number >= 0x80; number >>= 7)
        {
            length++;
        }

        return length;
    }

    private static int Number(Span<byte> to, int number)
    {
        int at = 0;
        for (; number >= 0x80; number >>= 7)
        {
            to[at++] = (byte)(number | 0x80);
        }

        to[at++] = (byte)number;
        return at;
    }

    private static int ReadNumber(ReadOnlySpan<byte> from, out int number)
    {
        long read = 0;
        for (int i = 0; i < MostNumber; i++)
        {
            if (i == from.Length)
            {
                number = 0;
                return 0;
            }

            read |= (long)(from[i] & 0x7F) << (7 * i);
            if (from[i] < 0x80)
            {
                number = (int)read;
                return read <= int.MaxValue ? i + 1 : -1;
            }
        }

        number = 0;
        return -1;
    }
}
