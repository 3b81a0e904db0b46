using System.Buffers.Binary;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Wire;

/// <summary>What a pull asks for: the pieces of the vertex's stripe from a number on. 8 bytes.</summary>
/// <param name="From">Pieces of the stripe that are here already, so the number of the first that is wanted.</param>
internal readonly record struct PieceRequest(long From) : IPullRequest<PieceRequest>
{
    /// <inheritdoc/>
    public static int MostBytes => sizeof(long);

    /// <inheritdoc/>
    public int Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64LittleEndian(to, From);
        return sizeof(long);
    }

    /// <inheritdoc/>
    public static bool TryRead(ReadOnlySpan<byte> from, out PieceRequest request)
    {
        request = from.Length == sizeof(long) ? new(BinaryPrimitives.ReadInt64LittleEndian(from)) : default;
        return from.Length == sizeof(long) && request.From >= 0;
    }
}
