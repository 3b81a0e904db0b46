using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// CRC32C in three lanes. A processor can begin a step in each cycle, and has its result after three: one lane waits
/// for itself two thirds of the time. Sums are linear, so that of one lane goes on with that of the next once it has
/// been moved over as many zeros as the lane has bytes, which four tables tell.
/// </summary>
internal static class SumLanes
{
    private const int Lanes = 3;
    private const int Values = 256;

    // Three of these are nearly a sector, of which each has a sum of its own.
    private const int Short = 168;
    private const int Long = 1_344;

    private static readonly uint[] OverShort = Tables(Short);
    private static readonly uint[] OverLong = Tables(Long);

    /// <summary>Sums as much as fills lanes.</summary>
    /// <param name="sum">The sum so far.</param>
    /// <param name="bytes">What is summed; afterwards what is left, less than half a kilobyte.</param>
    /// <returns>The sum.</returns>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static uint Take(uint sum, ref ReadOnlySpan<byte> bytes)
    {
        for (; bytes.Length >= Lanes * Long; bytes = bytes[(Lanes * Long)..])
        {
            sum = Take(sum, bytes, Long / sizeof(ulong), OverLong);
        }

        for (; bytes.Length >= Lanes * Short; bytes = bytes[(Lanes * Short)..])
        {
            sum = Take(sum, bytes, Short / sizeof(ulong), OverShort);
        }

        return sum;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static uint Take(uint sum, ReadOnlySpan<byte> bytes, int words, uint[] over)
    {
        ReadOnlySpan<ulong> all = MemoryMarshal.Cast<byte, ulong>(bytes),
            first = all[..words],
            second = all.Slice(words, words),
            third = all.Slice(2 * words, words);
        uint one = sum,
            two = 0,
            three = 0;
        for (int i = 0; i < first.Length; i++)
        {
            one = BitOperations.Crc32C(one, first[i]);
            two = BitOperations.Crc32C(two, second[i]);
            three = BitOperations.Crc32C(three, third[i]);
        }

        return Over(Over(one, over) ^ two, over) ^ three;
    }

    private static uint Over(uint sum, uint[] tables) =>
        tables[(byte)sum]
        ^ tables[Values + (byte)(sum >> 8)]
        ^ tables[(2 * Values) + (byte)(sum >> 16)]
        ^ tables[(3 * Values) + (byte)(sum >> 24)];

    // What each bit of a sum becomes behind so many zeros, and so each byte of it.
    private static uint[] Tables(int zeros)
    {
        var tables = new uint[sizeof(uint) * Values];
        for (int bit = 0; bit < 8 * sizeof(uint); bit++)
        {
            uint moved = 1u << bit;
            for (int i = 0; i < zeros; i += sizeof(ulong))
            {
                moved = BitOperations.Crc32C(moved, 0UL);
            }

            for (int value = 0; value < Values; value++)
            {
                tables[(bit / 8 * Values) + value] ^= (value >> (bit % 8) & 1) != 0 ? moved : 0;
            }
        }

        return tables;
    }
}
