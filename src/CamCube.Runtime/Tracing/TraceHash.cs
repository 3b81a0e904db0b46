using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CamCube.Runtime.Tracing;

/// <summary>The rolling hash of what a server does: equal runs give equal hashes, different ones different
/// hashes.</summary>
internal static class TraceHash
{
    private const ulong Multiplier = 0x9E37_79B9_7F4A_7C15UL;

    /// <summary>Kinds of traced events, so that equal numbers of different kinds differ.</summary>
    public enum Kind : ulong
    {
        Transmit = 1,
        Arrive = 2,
        Body = 3,
        Draw = 4,
        Timer = 5,
        Fault = 6,
        Local = 7,
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Mix(ulong hash, ulong word) => (BitOperations.RotateLeft(hash, 23) ^ word) * Multiplier;

    /// <summary>An event: time, kind and number (link, sequence).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Event(ulong hash, long time, Kind kind, uint number) =>
        Mix(hash, (ulong)time ^ ((ulong)kind << 56) ^ ((ulong)number << 40));

    /// <summary>A packet's headers, as they go on the wire.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Headers(ulong hash, Packet packet)
    {
        ulong word = packet.ServiceWord | ((ulong)packet.HopsLeft << 16) | ((ulong)(uint)packet.BodyBytes << 32);
        hash = Mix(hash, word ^ ((ulong)packet.HeaderBytes << 56));
        hash = Mix(
            hash,
            packet.Route
                ^ BitOperations.RotateLeft(packet.SourceRoute, 17)
                ^ (ulong)(uint)packet.VirtualBytes
                ^ packet.IdWord
        );
        ReadOnlySpan<ulong> words = MemoryMarshal.CreateReadOnlySpan(
            ref Unsafe.As<byte, ulong>(ref packet.HeaderStart()),
            packet.HeaderBytes >> 3
        );
        foreach (ulong w in words)
        {
            hash = Mix(hash, w);
        }

        for (int i = packet.HeaderBytes & ~7; i < packet.HeaderBytes; i++)
        {
            hash = Mix(hash, Unsafe.Add(ref packet.HeaderStart(), i));
        }

        return hash;
    }

    /// <summary>Bytes, once when they are written or sent.</summary>
    public static ulong Bytes(ulong hash, ReadOnlySpan<byte> bytes)
    {
        hash = Mix(hash, ((ulong)Kind.Body << 56) | (uint)bytes.Length);
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong w in words)
        {
            hash = Mix(hash, w);
        }

        foreach (byte b in bytes[(words.Length * 8)..])
        {
            hash = Mix(hash, b);
        }

        return hash;
    }
}
