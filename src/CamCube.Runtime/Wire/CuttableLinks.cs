namespace CamCube.Runtime.Wire;

/// <summary>
/// Real links of which an operator can cut some: their packets are lost both ways. On the server's loop, except
/// <see cref="Set"/> and <see cref="Cut"/>.
/// </summary>
internal sealed class CuttableLinks(LinkDriver inner) : TwoWayLinkDecorator(inner)
{
    private int _cut;

    /// <summary>What is cut now. Any thread.</summary>
    public LinkSet Cut => new((byte)Volatile.Read(ref _cut));

    // Packets that are shaped elsewhere would pass a cut.
    public override bool ShapesPackets => false;

    /// <summary>Cuts or mends. Any thread.</summary>
    public void Set(Link link, bool cut)
    {
        int bit = 1 << (int)link;
        if (cut)
        {
            Interlocked.Or(ref _cut, bit);
        }
        else
        {
            Interlocked.And(ref _cut, ~bit);
        }
    }

    public override long Transmit(Link link, Packet packet, long now)
    {
        if (!Cut.Contains(link))
        {
            return Inner.Transmit(link, packet, now);
        }

        // It takes its time, as on a cable of 1 Gbit/s: a cut cable is not a fast one.
        long busy = packet.WireLength * 8L;
        Server.FrameDropped(link, DropReason.LostOnCable);
        Server.Lose(packet);
        return now + busy;
    }

    public override void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now)
    {
        if (Cut.Contains(link))
        {
            Server.FrameDropped(link, DropReason.LostOnCable);
        }
        else
        {
            Server.FrameArrived(link, frame, now);
        }
    }
}
