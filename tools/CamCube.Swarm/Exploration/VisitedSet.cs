using System.Runtime.InteropServices;

namespace CamCube.Swarm.Exploration;

/// <summary>Which states were seen, by 16 bytes of hash each: two states with one hash are one in 2^80 of ten million.
/// </summary>
internal sealed class VisitedSet
{
    private readonly (ulong A, ulong B)[] _slots;
    private readonly ulong _mask;

    public VisitedSet(int states)
    {
        ulong size = System.Numerics.BitOperations.RoundUpToPowerOf2((ulong)states * 3 / 2 + 1_024);
        _slots = new (ulong, ulong)[size];
        _mask = size - 1;
    }

    /// <summary>Whether a packed state is new; from now on it is not.</summary>
    public bool Add(ReadOnlySpan<byte> state)
    {
        (ulong a, ulong b) = Hash(state);
        for (ulong at = a & _mask; ; at = (at + 1) & _mask)
        {
            ref (ulong A, ulong B) slot = ref _slots[at];
            if (slot.B == 0)
            {
                slot = (a, b);
                return true;
            }

            if (slot.A == a && slot.B == b)
            {
                return false;
            }
        }
    }

    private static (ulong A, ulong B) Hash(ReadOnlySpan<byte> state)
    {
        ulong a = 0x9E3779B97F4A7C15UL + (ulong)state.Length;
        ulong b = 0xC2B2AE3D27D4EB4FUL ^ (ulong)state.Length;
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(state);
        foreach (ulong word in words)
        {
            a = (a ^ word) * 0x9E3779B97F4A7C15UL;
            a ^= a >> 29;
            b = (b + word) * 0xC2B2AE3D27D4EB4FUL;
            b ^= b >> 31;
        }

        foreach (byte rest in state[(words.Length * 8)..])
        {
            a = (a ^ rest) * 0x9E3779B97F4A7C15UL;
            a ^= a >> 29;
            b = (b + rest) * 0xC2B2AE3D27D4EB4FUL;
            b ^= b >> 31;
        }

        // A slot with 0 is empty.
        return (Mixed(a), Mixed(b) | 1);
    }

    private static ulong Mixed(ulong x)
    {
        x ^= x >> 32;
        x *= 0xD6E8FEB86659FD93UL;
        return x ^ (x >> 32);
    }
}
