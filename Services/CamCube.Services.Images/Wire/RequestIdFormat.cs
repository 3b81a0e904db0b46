using CamCube.Calls;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Images.Wire;

/// <summary>Names of requests as bytes: three coordinates of two bytes, run and number of eight,
/// little-endian.</summary>
internal static class RequestIdFormat
{
    public const int Length = 22;

    public static RequestId Read(ReadOnlySpan<byte> bytes) =>
        new(
            new Coordinate(
                ReadUInt16LittleEndian(bytes),
                ReadUInt16LittleEndian(bytes[2..]),
                ReadUInt16LittleEndian(bytes[4..])
            ),
            ReadUInt64LittleEndian(bytes[6..]),
            ReadUInt64LittleEndian(bytes[14..])
        );

    public static void Write(Span<byte> bytes, in RequestId id)
    {
        WriteUInt16LittleEndian(bytes, id.Asker.X);
        WriteUInt16LittleEndian(bytes[2..], id.Asker.Y);
        WriteUInt16LittleEndian(bytes[4..], id.Asker.Z);
        WriteUInt64LittleEndian(bytes[6..], id.Run);
        WriteUInt64LittleEndian(bytes[14..], id.Number);
    }
}
