using System.Text;

namespace CamCube.Services.Camdoop.Keys;

/// <summary>
/// The bytes of a key that say which reduce it goes to: those that Hadoop's KeyFieldBasedPartitioner hashes, one part
/// behind the other. A part that is not in the key has none. Immutable; any thread.
/// </summary>
internal sealed class PartitionKey
{
    private readonly KeyFields[] _fields;
    private readonly byte[] _separator;

    /// <summary>Of some parts.</summary>
    /// <param name="fields">The parts.</param>
    /// <param name="separator">What lies between fields of a key; at least one byte.</param>
    public PartitionKey(IReadOnlyList<KeyFields> fields, ReadOnlySpan<byte> separator)
    {
        ArgumentOutOfRangeException.ThrowIfZero(separator.Length);
        (_fields, _separator) = ([.. fields], separator.ToArray());
    }

    /// <summary>That of a job; null: all of a key counts.</summary>
    public static PartitionKey? Of(JobText text)
    {
        IReadOnlyList<KeyFields> fields =
            text.PartitionKeyFields > 0 ? [KeyFields.First(text.PartitionKeyFields)] : text.PartitionFields;
        return fields.Count == 0 ? null : new PartitionKey(fields, Encoding.UTF8.GetBytes(text.KeySeparator));
    }

    /// <summary>Most bytes that a key of some length has.</summary>
    public long MostBytes(int keyLength) => (long)_fields.Length * keyLength;

    /// <summary>The bytes of a key. No allocation.</summary>
    /// <param name="key">The key.</param>
    /// <param name="into">Where to, if there are several parts: at least <see cref="MostBytes"/>.</param>
    /// <returns>A part of <paramref name="key"/>, or of <paramref name="into"/>.</returns>
    public ReadOnlySpan<byte> Find(ReadOnlySpan<byte> key, Span<byte> into)
    {
        if (_fields.Length == 1)
        {
            KeyRanges.TryFind(key, _separator, _fields[0], out ReadOnlySpan<byte> only);
            return only;
        }

        int length = 0;
        foreach (KeyFields fields in _fields)
        {
            KeyRanges.TryFind(key, _separator, fields, out ReadOnlySpan<byte> range);
            range.CopyTo(into[length..]);
            length += range.Length;
        }

        return into[..length];
    }
}
