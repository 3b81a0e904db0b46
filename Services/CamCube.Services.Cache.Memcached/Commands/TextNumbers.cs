namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// Numbers as memcached reads them (util.c, on strtol and strtoul): white space and a sign before, white space and then
/// anything behind, 64 bits, of which 32-bit fields keep the low half. Pure.
/// </summary>
internal static class TextNumbers
{
    /// <summary>safe_strtoull.</summary>
    public static bool TryUnsigned(ReadOnlySpan<byte> text, out ulong value)
    {
        if (!TryMagnitude(text, out ulong magnitude, out bool isNegative))
        {
            value = 0;
            return false;
        }

        value = isNegative ? 0 - magnitude : magnitude;
        return (long)value >= 0 || !text.Contains((byte)'-');
    }

    /// <summary>safe_strtoul: the low 32 bits.</summary>
    public static bool TryUnsigned32(ReadOnlySpan<byte> text, out uint value)
    {
        bool isNumber = TryUnsigned(text, out ulong wide);
        value = (uint)wide;
        return isNumber;
    }

    /// <summary>strtol.</summary>
    public static bool TrySigned(ReadOnlySpan<byte> text, out long value)
    {
        const ulong LargestNegative = 1UL << 63;
        value = 0;
        if (
            !TryMagnitude(text, out ulong magnitude, out bool isNegative)
            || magnitude > (isNegative ? LargestNegative : long.MaxValue)
        )
        {
            return false;
        }

        value = isNegative ? (long)(0 - magnitude) : (long)magnitude;
        return true;
    }

    /// <summary>safe_strtol: the low 32 bits.</summary>
    public static bool TrySigned32(ReadOnlySpan<byte> text, out int value)
    {
        bool isNumber = TrySigned(text, out long wide);
        value = (int)wide;
        return isNumber;
    }

    /// <summary>Digits of a number in decimal.</summary>
    public static int DigitsOf(ulong number)
    {
        int digits = 1;
        for (; number > 9; number /= 10)
        {
            digits++;
        }

        return digits;
    }

    private static bool TryMagnitude(ReadOnlySpan<byte> text, out ulong magnitude, out bool isNegative)
    {
        magnitude = 0;
        isNegative = false;
        int i = 0;
        while (i < text.Length && IsSpace(text[i]))
        {
            i++;
        }

        if (i < text.Length && text[i] is (byte)'-' or (byte)'+')
        {
            isNegative = text[i++] == '-';
        }

        int firstDigit = i;
        for (; i < text.Length && (uint)(text[i] - '0') <= 9; i++)
        {
            uint digit = (uint)(text[i] - '0');
            if (magnitude > (ulong.MaxValue - digit) / 10)
            {
                return false;
            }

            magnitude = (magnitude * 10) + digit;
        }

        return i > firstDigit && (i == text.Length || IsSpace(text[i]));
    }

    private static bool IsSpace(byte value) => value is (byte)' ' or (>= (byte)'\t' and <= (byte)'\r');
}
