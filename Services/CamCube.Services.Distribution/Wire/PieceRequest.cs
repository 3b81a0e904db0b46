using System.Buffers.Binary;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Wire;

/// <summary>
/// What a pull asks for: pieces of the vertex's stripe, in any order. 12 bytes, and a bit for each piece from
/// <see cref="From"/> on, up to the last that is wanted; no bits: all from there on. Each is answered by a
/// <see cref="PieceHead"/> and its bytes.
/// </summary>
/// <param name="From">The number of the first piece that is wanted.</param>
/// <param name="Bits">Which are wanted from there on; empty: all.</param>
/// <param name="Begun">A piece of which the first bytes are here already; it need not be in what is wanted else. Counts
/// only if <see cref="Offset"/> is not 0.</param>
/// <param name="Offset">So many bytes of that piece are here.</param>
internal readonly record struct PieceRequest(int From, ReadOnlyMemory<byte> Bits, int Begun = 0, int Offset = 0)
    : IPullRequest<PieceRequest>
{
    /// <summary>Most bytes of <see cref="Bits"/>.</summary>
    public const int MostBits = PullOptions.MostRequestBytes - HeadLength;

    private const int HeadLength = 3 * sizeof(int);

    /// <inheritdoc/>
    public static int MostBytes => PullOptions.MostRequestBytes;

    /// <inheritdoc/>
    public int Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to, From);
        BinaryPrimitives.WriteInt32LittleEndian(to[4..], Begun);
        BinaryPrimitives.WriteInt32LittleEndian(to[8..], Offset);
        Bits.Span.CopyTo(to[HeadLength..]);
        return HeadLength + Bits.Length;
    }

    /// <inheritdoc/>
    public static bool TryRead(ReadOnlySpan<byte> from, out PieceRequest request)
    {
        request = default;
        if (from.Length is < HeadLength or > PullOptions.MostRequestBytes)
        {
            return false;
        }

        request = new PieceRequest(
            BinaryPrimitives.ReadInt32LittleEndian(from),
            from[HeadLength..].ToArray(),
            BinaryPrimitives.ReadInt32LittleEndian(from[4..]),
            BinaryPrimitives.ReadInt32LittleEndian(from[8..])
        );
        return request is { From: >= 0, Begun: >= 0, Offset: >= 0 };
    }
}
