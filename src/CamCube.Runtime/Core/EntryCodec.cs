using System.Buffers.Binary;
using CamCube.Topology;

namespace CamCube.Runtime.Core;

/// <summary>
/// Entries in the body of a packet, 20 bytes each, little-endian: x, y, z (2 bytes each), incarnation (8), sequence
/// (4), bits (1), zero (1).
/// </summary>
internal static class EntryCodec
{
    /// <summary>Bytes of an entry.</summary>
    public const int Length = 20;

    /// <summary>Larger incarnations are nonsense: a run that began after the year 290000.</summary>
    public const ulong MaxIncarnation = long.MaxValue;

    public static void Write(Span<byte> body, in CubeEntry entry)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(body, entry.Server.X);
        BinaryPrimitives.WriteUInt16LittleEndian(body[2..], entry.Server.Y);
        BinaryPrimitives.WriteUInt16LittleEndian(body[4..], entry.Server.Z);
        BinaryPrimitives.WriteUInt64LittleEndian(body[6..], entry.Incarnation);
        BinaryPrimitives.WriteUInt32LittleEndian(body[14..], entry.Sequence);
        body[18] = entry.Bits;
        body[19] = 0;
    }

    /// <summary>
    /// Reads a whole body. False, for any bytes that no sound server sends: nothing of the body may then be used.
    /// </summary>
    public static bool TryRead(ReadOnlySpan<byte> body, TorusShape shape, List<CubeEntry> entries)
    {
        entries.Clear();
        if (body.Length % Length != 0)
        {
            return false;
        }

        for (; !body.IsEmpty; body = body[Length..])
        {
            var server = new Coordinate(
                BinaryPrimitives.ReadUInt16LittleEndian(body),
                BinaryPrimitives.ReadUInt16LittleEndian(body[2..]),
                BinaryPrimitives.ReadUInt16LittleEndian(body[4..])
            );
            var entry = new CubeEntry(
                server,
                BinaryPrimitives.ReadUInt64LittleEndian(body[6..]),
                BinaryPrimitives.ReadUInt32LittleEndian(body[14..]),
                body[18]
            );
            if (!entry.Fits(shape) || entry.Incarnation is 0 or > MaxIncarnation || body[19] != 0)
            {
                return false;
            }

            entries.Add(entry);
        }

        return true;
    }
}
