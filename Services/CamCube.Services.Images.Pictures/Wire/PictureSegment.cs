using System.Buffers;

namespace CamCube.Services.Images.Pictures.Wire;

/// <summary>A head and a picture as one sequence, without a copy.</summary>
internal sealed class PictureSegment : ReadOnlySequenceSegment<byte>
{
    private PictureSegment(ReadOnlyMemory<byte> memory, long index) => (Memory, RunningIndex) = (memory, index);

    /// <summary>Puts the picture behind the head.</summary>
    public static ReadOnlySequence<byte> Join(ReadOnlyMemory<byte> head, ReadOnlyMemory<byte> picture)
    {
        PictureSegment last = new(picture, head.Length);
        return new ReadOnlySequence<byte>(new PictureSegment(head, 0) { Next = last }, 0, last, picture.Length);
    }
}
