using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace CamCube.Services.KeyValue.Log;

/// <summary>Sectors, the units that a disk writes whole or not at all, and sums of bytes that know their
/// place.</summary>
internal static class Sectors
{
    public const int Size = 512;

    public static long RoundUp(long bytes) => (bytes + Size - 1) / Size * Size;

    public static bool IsZero(ReadOnlySpan<byte> bytes) => !bytes.ContainsAnyExcept((byte)0);

    /// <summary>What the sum of bytes at a place begins with, so that those of another place, segment or log do not
    /// fit.</summary>
    public static uint Seed(LogIdentity log, uint segment, long offset)
    {
        Coordinate at = log.Server;
        uint crc = BitOperations.Crc32C(uint.MaxValue, ((ulong)at.X << 32) | ((ulong)at.Y << 16) | (ulong)at.Z);
        crc = BitOperations.Crc32C(crc, log.Incarnation);
        return BitOperations.Crc32C(crc, ((ulong)segment << 32) | (ulong)offset);
    }

    /// <summary>CRC32C, begun with a seed.</summary>
    // A start sums hundreds of megabytes before anything is compiled well.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static uint Sum(uint seed, ReadOnlySpan<byte> bytes)
    {
        uint crc = SumLanes.Take(seed, ref bytes);
        while (bytes.Length >= sizeof(ulong))
        {
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            bytes = bytes[sizeof(ulong)..];
        }

        foreach (byte b in bytes)
        {
            crc = BitOperations.Crc32C(crc, b);
        }

        return crc;
    }
}
