using System.Buffers.Binary;

namespace CamCube.Services.Messenger.Wire;

/// <summary>A place in a body: run 8, coordinate 3 × 2, zero 2, term 4, little-endian.</summary>
internal static class PlaceRecord
{
    /// <summary>Bytes of it.</summary>
    public const int Size = 20;

    public static void Write(Span<byte> body, in EndpointPlace place)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(body, place.Run);
        BinaryPrimitives.WriteUInt64LittleEndian(body[8..], place.Server.Packed >> 16);
        BinaryPrimitives.WriteUInt32LittleEndian(body[16..], place.Term);
    }

    /// <summary>A place of this cube, or none.</summary>
    public static EndpointPlace Read(ReadOnlySpan<byte> body, TorusShape shape)
    {
        if (body.Length < Size)
        {
            return default;
        }

        var server = Coordinate.Unpack(BinaryPrimitives.ReadUInt64LittleEndian(body[8..]) << 16);
        ulong run = BinaryPrimitives.ReadUInt64LittleEndian(body);
        return run != 0 && shape.Contains(server)
            ? new EndpointPlace(server, run, BinaryPrimitives.ReadUInt32LittleEndian(body[16..]))
            : default;
    }
}
