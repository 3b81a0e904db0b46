using System.Numerics;
using System.Runtime.InteropServices;

namespace CamCube.Services.Tunnel.Wire;

/// <summary>The end-to-end checksum of a packet, CRC-32C: over its body, and its header without what is written on the
/// way. It says that a frame is as it was read, whatever servers on the way did with it.</summary>
internal static class TunnelSum
{
    private const TunnelFlags OnTheWay = TunnelFlags.Congested | TunnelFlags.OffPath;

    /// <summary>The checksum that belongs into this header.</summary>
    public static uint Of(in TunnelHeader header, ReadOnlySpan<byte> body)
    {
        TunnelHeader fixedPart = header;
        (fixedPart.Sum, fixedPart.Path) = (0, 0);
        fixedPart.Flags &= ~OnTheWay;
        uint sum = uint.MaxValue;
        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<TunnelHeader>(in fixedPart));
        sum = Add(sum, bytes);
        return ~Add(sum, body);
    }

    /// <summary>The checksum of what these numbers say, and a body.</summary>
    public static uint Of(ulong first, ulong second, ReadOnlySpan<byte> body) =>
        ~Add(BitOperations.Crc32C(BitOperations.Crc32C(uint.MaxValue, first), second), body);

    private static uint Add(uint sum, ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong word in words)
        {
            sum = BitOperations.Crc32C(sum, word);
        }

        foreach (byte one in bytes[(words.Length * sizeof(ulong))..])
        {
            sum = BitOperations.Crc32C(sum, one);
        }

        return sum;
    }
}
