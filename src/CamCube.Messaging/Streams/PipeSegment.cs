using System.Buffers;

namespace CamCube.Messaging;

/// <summary>A piece of what a stream has; used again for the next sequence.</summary>
internal sealed class PipeSegment : ReadOnlySequenceSegment<byte>
{
    public void Set(ReadOnlyMemory<byte> memory, long runningIndex, PipeSegment? next) =>
        (Memory, RunningIndex, Next) = (memory, runningIndex, next);
}
