using System.Buffers.Binary;

namespace CamCube.Swarm.Streams;

/// <summary>
/// For tests of the checkers only: a stream that forgets one retransmission. Of the first acknowledgement with a gap it
/// takes the gap for arrived, so what was lost is never sent again. A run with it must fail.
/// </summary>
internal sealed class ForgetfulStreamService(IServer server, StreamTraffic traffic)
    : StreamTrafficService(server, traffic)
{
    private const int KindAt = 20,
        Acks = 20,
        CountAt = 12,
        RangesAt = 13,
        RangeLength = 4;

    private bool _hasForgotten;

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (hop.IsDestination && !_hasForgotten && packet.HeaderSpan[KindAt] == Acks)
        {
            _hasForgotten = TryCloseGap(packet);
        }

        return base.OnPacket(hop, packet);
    }

    private static bool TryCloseGap(Packet packet)
    {
        Span<byte> body = packet.WritableBody();
        if (body.Length < RangesAt + (2 * RangeLength) || body[CountAt] < 2)
        {
            return false;
        }

        int first = LengthAt(body, 0),
            gap = BinaryPrimitives.ReadUInt16LittleEndian(body[(RangesAt + RangeLength)..]),
            second = LengthAt(body, 1);
        BinaryPrimitives.WriteUInt16LittleEndian(body[(RangesAt + 2)..], (ushort)(first + gap + second));
        body[CountAt] = 1;
        packet.SetBodyLength(RangesAt + RangeLength);
        return true;
    }

    private static int LengthAt(ReadOnlySpan<byte> body, int range) =>
        BinaryPrimitives.ReadUInt16LittleEndian(body[(RangesAt + (range * RangeLength) + 2)..]);
}
