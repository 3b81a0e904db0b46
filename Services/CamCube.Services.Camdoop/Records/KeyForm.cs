using System.Security.Cryptography;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Records;

/// <summary>
/// Keys of pairs as they travel. Any bytes may be a key, but a record's has at least one byte and at most
/// <see cref="MergeRequest.MostKey"/>: an empty key, and one that begins with a zero, has a zero in front, which keeps
/// the order; of one that is too long the first bytes and a hash travel, and the key itself goes before the value, so
/// that such keys meet their like, in the order of their first bytes.
/// </summary>
internal static class KeyForm
{
    /// <summary>Keys up to so many bytes travel as they are.</summary>
    public const int MostWhole = 3_900;

    /// <summary>Bytes of the key of a record that has a longer one. No whole key has so many.</summary>
    public const int LongKey = MostWhole + 1 + SHA256.HashSizeInBytes;

    /// <summary>Whether a key travels in another form than its own.</summary>
    public static bool NeedsForm(ReadOnlySpan<byte> key) => key.IsEmpty || key[0] == 0 || key.Length > MostWhole;

    /// <summary>Bytes that <see cref="Write"/> needs for a record's key.</summary>
    public static int LengthOf(ReadOnlySpan<byte> key) =>
        key.Length > MostWhole ? LongKey
        : NeedsForm(key) ? key.Length + 1
        : key.Length;

    /// <summary>Writes a key as a record has it. Returns its length.</summary>
    public static int Write(ReadOnlySpan<byte> key, Span<byte> to)
    {
        if (key.Length > MostWhole)
        {
            // The zero in front of what may not be first takes the place of its last byte.
            bool isShifted = key[0] == 0;
            to[0] = 0;
            int head = isShifted ? 1 : 0;
            key[..(MostWhole + 1 - head)].CopyTo(to[head..]);
            return MostWhole + 1 + SHA256.HashData(key, to[(MostWhole + 1)..]);
        }

        int zero = NeedsForm(key) ? 1 : 0;
        to[0] = 0;
        key.CopyTo(to[zero..]);
        return key.Length + zero;
    }

    /// <summary>Bytes that go before the value of a record whose key is too long to travel: the key, behind its
    /// length.</summary>
    public static int PrefixFor(ReadOnlySpan<byte> key) => key.Length > MostWhole ? sizeof(int) + key.Length : 0;

    /// <summary>How many bytes these are in the value of such a record; less than 0: it is none.</summary>
    public static int PrefixOf(ReadOnlySpan<byte> value)
    {
        int length = value.Length >= sizeof(int) ? BitConverter.ToInt32(value) : -1;
        return length <= MostWhole || length > value.Length - sizeof(int) ? -1 : sizeof(int) + length;
    }

    /// <summary>The key and the value of a record, as they were given.</summary>
    /// <param name="key">The record's key.</param>
    /// <param name="value">The record's value.</param>
    /// <param name="first">The key.</param>
    /// <param name="second">The value.</param>
    /// <returns>False: no record of this service is like this.</returns>
    public static bool TryRead(
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        out ReadOnlySpan<byte> first,
        out ReadOnlySpan<byte> second
    )
    {
        first = key;
        second = value;
        if (key.Length == LongKey)
        {
            int prefix = PrefixOf(value);
            if (prefix < 0)
            {
                return false;
            }

            first = value[sizeof(int)..prefix];
            second = value[prefix..];
            return true;
        }

        if (!key.IsEmpty && key[0] == 0)
        {
            first = key[1..];
        }

        return !key.IsEmpty;
    }

    /// <summary>The same of records whose key is made of parts of the given one, to be sorted by: that goes before the
    /// value, behind its length.</summary>
    /// <param name="key">The record's key.</param>
    /// <param name="value">The record's value.</param>
    /// <param name="isOrdered">Whether they are of such a job.</param>
    /// <param name="first">The key.</param>
    /// <param name="second">The value.</param>
    /// <returns>False: no record of the job is like this.</returns>
    public static bool TryRead(
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        bool isOrdered,
        out ReadOnlySpan<byte> first,
        out ReadOnlySpan<byte> second
    )
    {
        if (!TryRead(key, value, out first, out second))
        {
            return false;
        }

        if (!isOrdered)
        {
            return true;
        }

        int length = second.Length >= sizeof(int) ? BitConverter.ToInt32(second) : -1;
        if (length < 0 || length > second.Length - sizeof(int))
        {
            return false;
        }

        first = second.Slice(sizeof(int), length);
        second = second[(sizeof(int) + length)..];
        return true;
    }
}
