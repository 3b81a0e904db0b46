using System.Buffers.Text;

namespace CamCube.Services.Cache.Store;

/// <summary>The numbers of incr and decr: unsigned 64-bit, as text, read as generously as memcached reads
/// them.</summary>
internal static class DecimalText
{
    /// <summary>Digits of the largest number.</summary>
    public const int MaxDigits = 20;

    /// <summary>
    /// Leading white space, an optional plus sign, digits, then the end or white space and anything (memcached's
    /// strtoull check; a number that decr made shorter is followed by spaces).
    /// </summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out ulong number)
    {
        number = 0;
        int start = 0;
        while (start < text.Length && IsSpace(text[start]))
        {
            start++;
        }

        if (start < text.Length && text[start] == (byte)'+')
        {
            start++;
        }

        text = text[start..];
        if (text.IsEmpty || !char.IsAsciiDigit((char)text[0]))
        {
            return false;
        }

        return Utf8Parser.TryParse(text, out number, out int used) && (used == text.Length || IsSpace(text[used]));
    }

    /// <summary>
    /// The new value: in the old one's length padded with spaces when the number fits into it, as memcached writes in
    /// place, else exactly as long as the number.
    /// </summary>
    public static byte[] Format(ulong number, int oldLength)
    {
        Span<byte> digits = stackalloc byte[MaxDigits];
        Utf8Formatter.TryFormat(number, digits, out int n);
        byte[] value = new byte[Math.Max(n, oldLength)];
        digits[..n].CopyTo(value);
        value.AsSpan(n).Fill((byte)' ');
        return value;
    }

    private static bool IsSpace(byte b) => b == (byte)' ' || (b >= 9 && b <= 13);
}
