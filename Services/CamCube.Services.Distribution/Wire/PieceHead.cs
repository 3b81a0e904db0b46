using System.Buffers.Binary;

namespace CamCube.Services.Distribution.Wire;

/// <summary>What stands before the bytes of a piece in an answer: 8 bytes.</summary>
/// <param name="Number">The piece's number in its stripe.</param>
/// <param name="Offset">Its bytes follow from here on; 0 but for one of which the first are there.</param>
internal readonly record struct PieceHead(int Number, int Offset)
{
    /// <summary>Bytes of it.</summary>
    public const int Bytes = 2 * sizeof(int);

    /// <summary>Writes it.</summary>
    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to, Number);
        BinaryPrimitives.WriteInt32LittleEndian(to[4..], Offset);
    }

    /// <summary>Reads it; anything may be in it.</summary>
    public static PieceHead Read(ReadOnlySpan<byte> from) =>
        new(BinaryPrimitives.ReadInt32LittleEndian(from), BinaryPrimitives.ReadInt32LittleEndian(from[4..]));
}
