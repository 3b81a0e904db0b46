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

    /// <summary>Writes a number; returns its digits.</summary>
    /// <param name="number">The number.</param>
    /// <param name="target">Room for <see cref="MaxDigits"/>.</param>
    public static int Format(ulong number, Span<byte> target)
    {
        Utf8Formatter.TryFormat(number, target, out int digits);
        return digits;
    }

    private static bool IsSpace(byte b) => b == (byte)' ' || (b >= 9 && b <= 13);
}
