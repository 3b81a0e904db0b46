using System.Buffers;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>Bytes in many segments.</summary>
internal sealed class Pieces : ReadOnlySequenceSegment<byte>
{
    private Pieces(ReadOnlyMemory<byte> memory, long at)
    {
        Memory = memory;
        RunningIndex = at;
    }

    public static ReadOnlySequence<byte> Of(ReadOnlyMemory<byte> bytes, int length)
    {
        var first = new Pieces(bytes[..Math.Min(length, bytes.Length)], 0);
        Pieces last = first;
        for (int at = length; at < bytes.Length; at += length)
        {
            var next = new Pieces(bytes[at..Math.Min(at + length, bytes.Length)], at);
            last.Next = next;
            last = next;
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }
}
