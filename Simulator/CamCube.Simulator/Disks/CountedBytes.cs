using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace CamCube.Simulator.Disks;

/// <summary>
/// Endless bytes that need no memory: 64-bit words, little endian, that count from a first one in equal steps.
/// Simulated disks recognise them wherever they are written, and keep the two numbers in the place of each 4 KiB: a
/// cube can have values of many gigabytes whose every byte says where it belongs. Pure.
/// </summary>
public static class CountedBytes
{
    /// <summary>Writes a part of them.</summary>
    /// <param name="to">Where.</param>
    /// <param name="offset">Of the first byte wanted.</param>
    /// <param name="first">The first word. What belongs to different values begins far apart.</param>
    /// <param name="step">The difference of a word and the one before; odd, so that no word comes twice.</param>
    public static void Fill(Span<byte> to, long offset, ulong first, ulong step)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ulong word = unchecked(first + (step * ((ulong)offset / sizeof(ulong))));
        int phase = (int)(offset % sizeof(ulong));
        if (phase != 0)
        {
            int head = Math.Min(sizeof(ulong) - phase, to.Length);
            WritePart(to[..head], word, phase);
            to = to[head..];
            word = unchecked(word + step);
        }

        Span<ulong> words = MemoryMarshal.Cast<byte, ulong>(to);
        for (int i = 0; i < words.Length; i++)
        {
            words[i] = BitConverter.IsLittleEndian ? word : BinaryPrimitives.ReverseEndianness(word);
            word = unchecked(word + step);
        }

        WritePart(to[(words.Length * sizeof(ulong))..], word, 0);
    }

    /// <summary>Finds the numbers of a piece of them.</summary>
    /// <param name="bytes">At least 32 bytes.</param>
    /// <param name="offset">Of the first byte, below 8.</param>
    /// <param name="first">The first word.</param>
    /// <param name="step">The difference.</param>
    /// <returns>False: it is no such piece.</returns>
    internal static bool TryFind(ReadOnlySpan<byte> bytes, out int offset, out ulong first, out ulong step)
    {
        (first, step) = (0, 0);
        for (offset = 0; offset < sizeof(ulong); offset++)
        {
            int at = (sizeof(ulong) - offset) % sizeof(ulong);
            ulong a = BinaryPrimitives.ReadUInt64LittleEndian(bytes[at..]),
                b = BinaryPrimitives.ReadUInt64LittleEndian(bytes[(at + 8)..]),
                c = BinaryPrimitives.ReadUInt64LittleEndian(bytes[(at + 16)..]);
            step = unchecked(b - a);
            first = at == 0 ? a : unchecked(a - step);
            if (unchecked(c - b) == step && IsPiece(bytes, offset, first, step))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsPiece(ReadOnlySpan<byte> bytes, int offset, ulong first, ulong step)
    {
        Span<byte> expected = stackalloc byte[512];
        for (int at = 0; at < bytes.Length; at += expected.Length)
        {
            Span<byte> part = expected[..Math.Min(expected.Length, bytes.Length - at)];
            Fill(part, offset + at, first, step);
            if (!part.SequenceEqual(bytes.Slice(at, part.Length)))
            {
                return false;
            }
        }

        return true;
    }

    private static void WritePart(Span<byte> to, ulong word, int from)
    {
        for (int i = 0; i < to.Length; i++)
        {
            to[i] = (byte)(word >> ((from + i) * 8));
        }
    }
}
