using System.Buffers;

namespace CamCube.FrontEnds.Buffers;

/// <summary>What was received from a client and not consumed, between two turns; nothing as a rule, and then no memory.
/// Loop only.</summary>
internal sealed class KeptInput
{
    private const int LeastLength = 16 << 10;

    /// <summary>Where it is.</summary>
    public byte[] Bytes { get; private set; } = [];

    /// <summary>Its first byte.</summary>
    public int Start { get; private set; }

    /// <summary>Behind its last byte.</summary>
    public int End { get; private set; }

    /// <summary>Whether there is none.</summary>
    public bool IsEmpty => End == Start;

    /// <summary>Keeps part of a buffer, which may be its own, in place of what it had.</summary>
    public void Keep(byte[] buffer, int start, int end)
    {
        if (start == end)
        {
            Clear();
            return;
        }

        if (buffer != Bytes)
        {
            Bytes = ArrayPool<byte>.Shared.Rent(Math.Max(LeastLength, end - start));
            buffer.AsSpan(start, end - start).CopyTo(Bytes);
            (start, end) = (0, end - start);
        }

        (Start, End) = (start, end);
    }

    /// <summary>Makes room behind it for so many more bytes.</summary>
    public void MakeRoom(int least = 1)
    {
        if (Bytes.Length - End >= least)
        {
            return;
        }

        byte[] old = Bytes;
        if (End - Start + least > old.Length)
        {
            // One line fills it all; the protocol says when a line is too long.
            Bytes = ArrayPool<byte>.Shared.Rent(Math.Max(old.Length * 2, End - Start + least));
        }

        old.AsSpan(Start, End - Start).CopyTo(Bytes);
        (Start, End) = (0, End - Start);
        if (Bytes != old)
        {
            ArrayPool<byte>.Shared.Return(old);
        }
    }

    /// <summary>Gives its memory back.</summary>
    public void Clear()
    {
        if (Bytes.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(Bytes);
        }

        (Bytes, Start, End) = ([], 0, 0);
    }
}
