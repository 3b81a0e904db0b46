using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees;

/// <summary>The request of a service that needs nothing but where a vector goes on.</summary>
/// <param name="Position">A byte offset.</param>
public readonly record struct FoldRequest(long Position) : IPullRequest<FoldRequest>
{
    /// <inheritdoc/>
    public static int MostBytes => sizeof(long);

    /// <inheritdoc/>
    public int Write(Span<byte> to)
    {
        WriteInt64LittleEndian(to, Position);
        return sizeof(long);
    }

    /// <inheritdoc/>
    public static bool TryRead(ReadOnlySpan<byte> from, out FoldRequest request)
    {
        bool isRight = from.Length == sizeof(long);
        request = isRight ? new FoldRequest(ReadInt64LittleEndian(from)) : default;
        return isRight && request.Position >= 0;
    }
}
