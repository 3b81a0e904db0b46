using System.Buffers.Binary;

namespace CamCube.Services.Distribution.Wire;

/// <summary>What a server says of a piece that it gave: kind 1, a coordinate 3 x 2.</summary>
/// <param name="Kind">What.</param>
/// <param name="By">Who gave it to that server.</param>
internal readonly record struct OriginAnswer(OriginKind Kind, Coordinate By)
{
    /// <summary>Bytes of it.</summary>
    public const int Length = 1 + (3 * sizeof(ushort));

    /// <summary>Writes it.</summary>
    public void Write(Span<byte> to)
    {
        to[0] = (byte)Kind;
        BinaryPrimitives.WriteUInt16LittleEndian(to[1..], By.X);
        BinaryPrimitives.WriteUInt16LittleEndian(to[3..], By.Y);
        BinaryPrimitives.WriteUInt16LittleEndian(to[5..], By.Z);
    }

    /// <summary>Reads it; what is none is <see cref="OriginKind.Unknown"/>.</summary>
    public static OriginAnswer Read(ReadOnlySpan<byte> from, TorusShape shape)
    {
        if (from.Length != Length || from[0] > (byte)OriginKind.PassedOn)
        {
            return default;
        }

        var by = new Coordinate(
            BinaryPrimitives.ReadUInt16LittleEndian(from[1..]),
            BinaryPrimitives.ReadUInt16LittleEndian(from[3..]),
            BinaryPrimitives.ReadUInt16LittleEndian(from[5..])
        );
        return shape.Contains(by) ? new OriginAnswer((OriginKind)from[0], by) : default;
    }
}
