using System.Text;

namespace CamCube.Services.Camdoop.Keys;

/// <summary>
/// Makes a byte string of a key, so that the order of these strings, byte by byte, is that of Hadoop's
/// KeyFieldBasedComparator over the keys; equal strings are what it calls equal. A merge then compares bytes and
/// nothing else. Immutable; any thread.
/// </summary>
/// <remarks>
/// Each part ends by itself, so parts stand one behind the other. Text: its bytes, a zero as 00 FF, and 00 01 at the
/// end; 00 00 if the key ends before the part. Numbers: <see cref="NumberBytes"/>. A part in reverse is its complement.
/// </remarks>
internal sealed class SortKey
{
    private const byte Escape = 0x00;
    private const byte Missing = 0x00;
    private const byte End = 0x01;
    private const byte Zero = 0xFF;
    private readonly KeyFields[] _fields;
    private readonly byte[] _separator;

    /// <summary>Of some parts.</summary>
    /// <param name="fields">The parts, the first one counting most; at least one.</param>
    /// <param name="separator">What lies between fields of a key; at least one byte.</param>
    public SortKey(IReadOnlyList<KeyFields> fields, ReadOnlySpan<byte> separator)
    {
        ArgumentOutOfRangeException.ThrowIfZero(fields.Count);
        ArgumentOutOfRangeException.ThrowIfZero(separator.Length);
        (_fields, _separator) = ([.. fields], separator.ToArray());
    }

    /// <summary>That of a job; null: keys themselves are compared, byte by byte.</summary>
    public static SortKey? Of(JobText text) =>
        text.SortFields.Count == 0 ? null : new SortKey(text.SortFields, Encoding.UTF8.GetBytes(text.KeySeparator));

    /// <summary>Most bytes that the string of a key of some length has.</summary>
    public long MostBytes(int keyLength) => _fields.Length * ((2L * keyLength) + NumberBytes.MostMore);

    /// <summary>Makes the string of a key. No allocation. It may be longer than a key may be: who makes keys of such
    /// ones cuts them.</summary>
    /// <param name="key">The key.</param>
    /// <param name="into">Where to: at least <see cref="MostBytes"/>.</param>
    /// <returns>How many bytes it has.</returns>
    public int Make(ReadOnlySpan<byte> key, Span<byte> into)
    {
        int length = 0;
        foreach (KeyFields fields in _fields)
        {
            Span<byte> rest = into[length..];
            bool isThere = KeyRanges.TryFind(key, _separator, fields, out ReadOnlySpan<byte> range);
            int made = fields.IsNumeric ? NumberBytes.Write(range, isThere, rest) : WriteText(range, isThere, rest);
            if (fields.IsReverse)
            {
                Invert(rest[..made]);
            }

            length += made;
        }

        return length;
    }

    /// <summary>Turns the order of strings round.</summary>
    public static void Invert(Span<byte> bytes)
    {
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = (byte)~bytes[i];
        }
    }

    private static int WriteText(ReadOnlySpan<byte> text, bool isThere, Span<byte> into)
    {
        int length = 0;
        while (!text.IsEmpty)
        {
            int zero = text.IndexOf(Escape);
            ReadOnlySpan<byte> plain = zero < 0 ? text : text[..zero];
            plain.CopyTo(into[length..]);
            length += plain.Length;
            if (zero >= 0)
            {
                (into[length], into[length + 1]) = (Escape, Zero);
                length += 2;
            }

            text = text[(zero < 0 ? plain.Length : plain.Length + 1)..];
        }

        (into[length], into[length + 1]) = (Escape, isThere ? End : Missing);
        return length + 2;
    }
}
