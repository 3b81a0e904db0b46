using CamCube.Trees;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Collectives.Wire;

/// <summary>What the end of a tree's edge asks for: what the other end has from a position on. 28 bytes.</summary>
/// <param name="Position">Bytes of the edge that were taken.</param>
/// <param name="Session">Who asks: a number of the group that is another each time that it is opened.</param>
/// <param name="Expected">That of who is asked, as far as it is known; else 0.</param>
/// <param name="Ways">What the settings of who asks say of which way operations go: the same at all members.</param>
internal readonly record struct EdgeRequest(long Position, ulong Session, ulong Expected, uint Ways)
    : IPullRequest<EdgeRequest>
{
    /// <inheritdoc/>
    public static int MostBytes => 28;

    /// <inheritdoc/>
    public int Write(Span<byte> to)
    {
        WriteInt64LittleEndian(to, Position);
        WriteUInt64LittleEndian(to[8..], Session);
        WriteUInt64LittleEndian(to[16..], Expected);
        WriteUInt32LittleEndian(to[24..], Ways);
        return MostBytes;
    }

    /// <inheritdoc/>
    public static bool TryRead(ReadOnlySpan<byte> from, out EdgeRequest request)
    {
        request =
            from.Length == MostBytes
                ? new(
                    ReadInt64LittleEndian(from),
                    ReadUInt64LittleEndian(from[8..]),
                    ReadUInt64LittleEndian(from[16..]),
                    ReadUInt32LittleEndian(from[24..])
                )
                : default;
        return from.Length == MostBytes && request.Position >= 0 && request.Session != 0;
    }
}
