using System.Buffers.Binary;

namespace CamCube.Services.Diagnostics;

/// <summary>
/// A trace's body as bytes, little-endian. Head of 16: under way 1, nothing 1, hops 2, most 2, service 2, destination 8
/// (packed). Then 16 for each hop: rank 4, arrival link 3 bits, missing 1 bit, verdict 4 bits, links 1, queued 2, clock
/// 8. A trace on its way has room for all it may make; its answer is cut to those it made.
/// </summary>
internal static class TraceCodec
{
    /// <summary>Bytes of the head, and of each hop.</summary>
    public const int Unit = 16;

    /// <summary>Most hops of a trace.</summary>
    public const int MostHops = 400;
    private const int MissingBit = 8;
    private const int VerdictShift = 4;

    /// <summary>Bytes of a body with room for so many hops.</summary>
    public static int LengthOf(int hops) => Unit + (Unit * hops);

    /// <summary>Writes the head.</summary>
    public static void Write(in TraceHead head, Span<byte> body)
    {
        (body[0], body[1]) = ((byte)(head.IsUnderWay ? 1 : 0), 0);
        BinaryPrimitives.WriteUInt16LittleEndian(body[2..], (ushort)head.Hops);
        BinaryPrimitives.WriteUInt16LittleEndian(body[4..], (ushort)head.Most);
        BinaryPrimitives.WriteUInt16LittleEndian(body[6..], head.Service.Value);
        BinaryPrimitives.WriteUInt64LittleEndian(body[8..], head.To.Packed);
    }

    /// <summary>Writes a hop.</summary>
    public static void Write(in TraceHop hop, int index, Span<byte> body)
    {
        Span<byte> at = body.Slice(LengthOf(index), Unit);
        BinaryPrimitives.WriteUInt32LittleEndian(at, (uint)hop.Rank);
        at[4] = (byte)((int)hop.ArrivedOn | (hop.IsMissing ? MissingBit : 0) | ((int)hop.Verdict << VerdictShift));
        at[5] = hop.Links.Bits;
        BinaryPrimitives.WriteUInt16LittleEndian(at[6..], (ushort)Math.Min(hop.Queued, ushort.MaxValue));
        BinaryPrimitives.WriteInt64LittleEndian(at[8..], hop.Nanos);
    }

    /// <summary>Reads the head of a trace on its way. False: no server of this shape wrote that.</summary>
    public static bool TryReadHead(ReadOnlySpan<byte> body, TorusShape shape, out TraceHead head)
    {
        head = default;
        if (body.Length < Unit || body[0] > 1 || body[1] != 0)
        {
            return false;
        }

        ulong to = BinaryPrimitives.ReadUInt64LittleEndian(body[8..]);
        head = new TraceHead(
            body[0] == 1,
            BinaryPrimitives.ReadUInt16LittleEndian(body[2..]),
            BinaryPrimitives.ReadUInt16LittleEndian(body[4..]),
            new ServiceId(BinaryPrimitives.ReadUInt16LittleEndian(body[6..])),
            Coordinate.Unpack(to)
        );
        return head.To.Packed == to
            && shape.Contains(head.To)
            && head.Most is > 0 and <= MostHops
            && body.Length == LengthOf(head.Most)
            && (head.IsUnderWay ? head.Hops < head.Most : head.Hops == 0);
    }

    /// <summary>Reads the hops of an answer, or null: no server of this shape wrote that.</summary>
    public static TraceHop[]? ReadAnswer(ReadOnlySpan<byte> body, TorusShape shape)
    {
        if (body.Length < Unit)
        {
            return null;
        }

        int count = BinaryPrimitives.ReadUInt16LittleEndian(body[2..]);
        if (count is 0 or > MostHops || body.Length != LengthOf(count))
        {
            return null;
        }

        var hops = new TraceHop[count];
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> at = body.Slice(LengthOf(i), Unit);
            uint rank = BinaryPrimitives.ReadUInt32LittleEndian(at);
            var arrivedOn = (Link)(at[4] & 7);
            var verdict = (TraceVerdict)(at[4] >> VerdictShift);

            // On the way every server but the last sent it on.
            bool isRight = i < count - 1 ? verdict == TraceVerdict.Forwarded : verdict is > 0 and <= TraceVerdict.Ended;
            if (rank >= (uint)shape.Count || arrivedOn > Link.Local || !isRight || at[5] > LinkSet.AllCables.Bits)
            {
                return null;
            }

            hops[i] = new TraceHop(
                (int)rank,
                arrivedOn,
                verdict,
                (at[4] & MissingBit) != 0,
                new LinkSet(at[5]),
                BinaryPrimitives.ReadUInt16LittleEndian(at[6..]),
                BinaryPrimitives.ReadInt64LittleEndian(at[8..])
            );
        }

        return hops;
    }
}
