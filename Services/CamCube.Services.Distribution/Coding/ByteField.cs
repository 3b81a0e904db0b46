using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace CamCube.Services.Distribution.Coding;

/// <summary>
/// The field of 256 elements with x⁸ + x⁴ + x³ + x² + 1, of which 2 generates all others but 0: sums are XOR, and a
/// product with one number is two look-ups among sixteen, for sixteen bytes at once (Plank et al., FAST 2013).
/// </summary>
internal static class ByteField
{
    private const int Polynomial = 0x11D;
    private const int Nibbles = 16;

    // For each factor its products with 0 to 15, and with 16 times these.
    private static readonly byte[] Tables = MakeTables();

    /// <summary>A power of 2.</summary>
    public static byte Power(int exponent)
    {
        byte power = 1;
        for (int i = 0; i < exponent; i++)
        {
            power = Multiply(power, 2);
        }

        return power;
    }

    /// <summary>A product.</summary>
    public static byte Multiply(byte left, byte right)
    {
        int product = 0,
            shifted = left;
        for (int bits = right; bits != 0; bits >>= 1)
        {
            product ^= (bits & 1) != 0 ? shifted : 0;
            shifted <<= 1;
            shifted ^= shifted > byte.MaxValue ? Polynomial : 0;
        }

        return (byte)product;
    }

    /// <summary>What a number, not 0, is to be multiplied by to get 1: its 254th power.</summary>
    public static byte Inverse(byte number)
    {
        byte inverse = 1;
        for (int i = 0; i < byte.MaxValue - 1; i++)
        {
            inverse = Multiply(inverse, number);
        }

        return inverse;
    }

    /// <summary>Adds bytes to as many others, or more.</summary>
    public static void Add(ReadOnlySpan<byte> from, Span<byte> to)
    {
        int width = Vector<byte>.Count,
            i = 0;
        for (; i <= from.Length - width; i += width)
        {
            (new Vector<byte>(from[i..]) ^ new Vector<byte>(to[i..])).CopyTo(to[i..]);
        }

        for (; i < from.Length; i++)
        {
            to[i] ^= from[i];
        }
    }

    /// <summary>Adds products of bytes with a factor to as many others, or more.</summary>
    public static void AddProduct(byte factor, ReadOnlySpan<byte> from, Span<byte> to)
    {
        ReadOnlySpan<byte> table = Tables.AsSpan(factor * 2 * Nibbles, 2 * Nibbles);
        Vector128<byte> low = Vector128.Create(table),
            high = Vector128.Create(table[Nibbles..]),
            mask = Vector128.Create((byte)(Nibbles - 1));
        ReadOnlySpan<Vector128<byte>> sources = MemoryMarshal.Cast<byte, Vector128<byte>>(from);
        Span<Vector128<byte>> sums = MemoryMarshal.Cast<byte, Vector128<byte>>(to);
        for (int v = 0; v < sources.Length; v++)
        {
            Vector128<byte> bytes = sources[v];
            sums[v] ^=
                Vector128.Shuffle(low, bytes & mask) ^ Vector128.Shuffle(high, (bytes.AsUInt16() >> 4).AsByte() & mask);
        }

        for (int i = sources.Length * Vector128<byte>.Count; i < from.Length; i++)
        {
            to[i] ^= (byte)(table[from[i] & (Nibbles - 1)] ^ table[Nibbles + (from[i] >> 4)]);
        }
    }

    /// <summary>Multiplies bytes by a factor.</summary>
    public static void Multiply(byte factor, Span<byte> bytes)
    {
        // b + (factor + 1) b.
        AddProduct((byte)(factor ^ 1), bytes, bytes);
    }

    private static byte[] MakeTables()
    {
        byte[] tables = new byte[(byte.MaxValue + 1) * 2 * Nibbles];
        for (int factor = 0; factor <= byte.MaxValue; factor++)
        {
            for (int nibble = 0; nibble < Nibbles; nibble++)
            {
                int at = (factor * 2 * Nibbles) + nibble;
                tables[at] = Multiply((byte)factor, (byte)nibble);
                tables[at + Nibbles] = Multiply((byte)factor, (byte)(nibble * Nibbles));
            }
        }

        return tables;
    }
}
