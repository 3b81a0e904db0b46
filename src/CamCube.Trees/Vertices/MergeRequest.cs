using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees;

/// <summary>A pull of a <see cref="MergingVertex{TRequest}"/> that says nothing but from where on: for services whose
/// jobs everybody knows. 8 bytes, and the key.</summary>
/// <param name="Position">From where on.</param>
public readonly record struct MergeRequest(MergePosition Position) : IPullRequest<MergeRequest>
{
    /// <summary>Bytes of the longest key that fits in.</summary>
    public const int MostKey = 4_000;

    /// <inheritdoc/>
    public static int MostBytes => sizeof(long) + MostKey;

    /// <inheritdoc/>
    public int Write(Span<byte> to)
    {
        WriteInt64LittleEndian(to, Position.Taken);
        Position.Key.Span.CopyTo(to[sizeof(long)..]);
        return sizeof(long) + Position.Key.Length;
    }

    /// <inheritdoc/>
    public static bool TryRead(ReadOnlySpan<byte> from, out MergeRequest request)
    {
        request = default;
        if (from.Length < sizeof(long) || ReadInt64LittleEndian(from) < 0)
        {
            return false;
        }

        request = new MergeRequest(new(from[sizeof(long)..].ToArray(), ReadInt64LittleEndian(from)));
        return true;
    }
}
