using System.Numerics;
using System.Runtime.InteropServices;

namespace CamCube.Services.Distribution.Wire;

/// <summary>CRC32C, of pieces and of the manifest.</summary>
internal static class PieceSum
{
    /// <summary>The sum of bytes.</summary>
    public static uint Of(ReadOnlySpan<byte> bytes)
    {
        uint sum = uint.MaxValue;
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong word in words)
        {
            sum = BitOperations.Crc32C(sum, word);
        }

        foreach (byte one in bytes[(words.Length * sizeof(ulong))..])
        {
            sum = BitOperations.Crc32C(sum, one);
        }

        return ~sum;
    }
}
