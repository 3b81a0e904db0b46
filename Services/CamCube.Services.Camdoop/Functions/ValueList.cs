using CamCube.Trees;

namespace CamCube.Services.Camdoop.Functions;

/// <summary>Different values with how often each is there, by value: records whose key is the value, behind a byte, as
/// a value may be empty, and whose value is the count. Any thread.</summary>
internal static class ValueList
{
    private const byte Before = 1;

    /// <summary>A list of one value. Returns its length; less than 0: it has no room.</summary>
    public static int Write(ReadOnlySpan<byte> value, long count, Span<byte> to)
    {
        int length = RecordFormat.LengthOf(value.Length + 1, sizeof(long));
        if (length > to.Length)
        {
            return -1;
        }

        int head = RecordFormat.WriteHead(to, value.Length + 1, sizeof(long));
        to[head] = Before;
        value.CopyTo(to[(head + 1)..]);
        BitConverter.TryWriteBytes(to[(head + 1 + value.Length)..], count);
        return length;
    }

    /// <summary>Two lists as one. Returns its length; less than 0: it has no room, or one is none.</summary>
    public static int Merge(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
    {
        int written = 0;
        while (!left.IsEmpty || !right.IsEmpty)
        {
            ReadOnlySpan<byte> value = default,
                other = default;
            long count = 0,
                more = 0;
            int first = left.IsEmpty ? 0 : Read(left, out value, out count);
            int second = right.IsEmpty ? 0 : Read(right, out other, out more);
            if (first < 0 || second < 0)
            {
                return -1;
            }

            int order =
                first == 0 ? 1
                : second == 0 ? -1
                : value.SequenceCompareTo(other);
            int length = order switch
            {
                < 0 => Write(value, count, result[written..]),
                0 => Write(value, unchecked(count + more), result[written..]),
                > 0 => Write(other, more, result[written..]),
            };
            if (length < 0)
            {
                return -1;
            }

            written += length;
            left = order <= 0 ? left[first..] : left;
            right = order >= 0 ? right[second..] : right;
        }

        return written;
    }

    /// <summary>How often each value is there.</summary>
    public static List<long> CountsOf(ReadOnlySpan<byte> list)
    {
        List<long> counts = [];
        while (!list.IsEmpty && Read(list, out _, out long count) is var length and > 0)
        {
            counts.Add(count);
            list = list[length..];
        }

        return counts;
    }

    // Returns the length of the first entry; less than 0: it is none.
    private static int Read(ReadOnlySpan<byte> list, out ReadOnlySpan<byte> value, out long count)
    {
        value = default;
        count = 0;
        int head = RecordFormat.ReadHead(list, out int keyAt, out int keyLength, out int valueLength);
        if (head <= 0 || valueLength != sizeof(long) || list.Length - keyAt < keyLength + valueLength)
        {
            return -1;
        }

        value = list.Slice(keyAt + 1, keyLength - 1);
        count = BitConverter.ToInt64(list[(keyAt + keyLength)..]);
        return keyAt + keyLength + valueLength;
    }
}
