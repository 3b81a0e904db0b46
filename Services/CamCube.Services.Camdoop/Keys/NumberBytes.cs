using System.Buffers.Binary;

namespace CamCube.Services.Camdoop.Keys;

/// <summary>
/// A decimal number of any length as bytes whose order is that of the numbers: a byte for the sign; the number of
/// digits before the point without zeros in front; then all digits, two to a byte, each one more than it is, and 0
/// behind the last. What is below zero has the complement behind the sign.
/// </summary>
/// <remarks>A number is a minus or none, digits, and digits behind a point; what follows is not looked at. Without a
/// digit it is 0, which has no sign. That is Hadoop's numeric order of numbers; of what is none it has no order at
/// all.</remarks>
internal static class NumberBytes
{
    /// <summary>Most bytes more than there were.</summary>
    public const int MostMore = 8;

    private const byte Missing = 0x01;
    private const byte Negative = 0x40;
    private const byte Zero = 0x80;
    private const byte Positive = 0xC0;
    private const byte LongCount = 0xFF;

    /// <summary>Writes a number.</summary>
    /// <param name="text">Where it begins.</param>
    /// <param name="isThere">Whether there is one; none comes before all others.</param>
    /// <param name="into">Where to: <see cref="MostMore"/> bytes more than the text has.</param>
    /// <returns>How many bytes were written.</returns>
    public static int Write(ReadOnlySpan<byte> text, bool isThere, Span<byte> into)
    {
        bool isNegative = text is [(byte)'-', ..];
        ReadOnlySpan<byte> rest = isNegative ? text[1..] : text;
        int digits = DigitsOf(rest);
        ReadOnlySpan<byte> whole = rest[..digits].TrimStart((byte)'0'),
            fraction = default;
        if (digits < rest.Length && rest[digits] == '.')
        {
            fraction = rest[(digits + 1)..];
            fraction = fraction[..DigitsOf(fraction)].TrimEnd((byte)'0');
        }

        if (!isThere || (whole.IsEmpty && fraction.IsEmpty))
        {
            into[0] = isThere ? Zero : Missing;
            return 1;
        }

        into[0] = isNegative ? Negative : Positive;
        int length = 1;
        if (whole.Length < LongCount)
        {
            into[length++] = (byte)whole.Length;
        }
        else
        {
            into[length++] = LongCount;
            BinaryPrimitives.WriteInt32BigEndian(into[length..], whole.Length);
            length += sizeof(int);
        }

        int half = 0;
        Pack(whole, into[length..], ref half);
        Pack(fraction, into[length..], ref half);
        // A byte whose second half is free has its 0 there already.
        length += (half + 1) / 2;
        if (half % 2 == 0)
        {
            into[length++] = 0;
        }

        if (isNegative)
        {
            SortKey.Invert(into[1..length]);
        }

        return length;
    }

    private static void Pack(ReadOnlySpan<byte> digits, Span<byte> into, ref int half)
    {
        foreach (byte digit in digits)
        {
            int value = digit - '0' + 1;
            if (half % 2 == 0)
            {
                into[half / 2] = (byte)(value << 4);
            }
            else
            {
                into[half / 2] |= (byte)value;
            }

            half++;
        }
    }

    private static int DigitsOf(ReadOnlySpan<byte> text)
    {
        int end = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return end < 0 ? text.Length : end;
    }
}
