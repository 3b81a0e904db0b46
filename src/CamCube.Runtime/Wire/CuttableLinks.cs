namespace CamCube.Runtime.Wire;

/// <summary>
/// Real links of which an operator can cut some: their packets are lost both ways. On the server's loop, except
/// <see cref="Set"/> and <see cref="Cut"/>.
/// </summary>
internal sealed class CuttableLinks(LinkDriver inner) : LinkDriver, ILinkEvents
{
    private ILinkEvents _server = null!;
    private int _cut;

    /// <summary>What is cut now. Any thread.</summary>
    public LinkSet Cut => new((byte)Volatile.Read(ref _cut));

    public override int MaxFrameLength => inner.MaxFrameLength;

    public override CablingReport? Cabling => inner.Cabling;

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

    public override bool TryPlace(long now, out Coordinate coordinate, out long deadline) =>
        inner.TryPlace(now, out coordinate, out deadline);

    public override void Attach(ILinkEvents server)
    {
        _server = server;
        inner.Attach(this);
    }

    public override long Transmit(Link link, Packet packet, long now)
    {
        if (!Cut.Contains(link))
        {
            return inner.Transmit(link, packet, now);
        }

        // It takes its time, as on a cable of 1 Gbit/s: a cut cable is not a fast one.
        long busy = packet.WireLength * 8L;
        _server.FrameDropped(link, DropReason.LostOnCable);
        _server.Lose(packet);
        return now + busy;
    }

    public override void Flush(long now) => inner.Flush(now);

    public override int Receive(ILinkEvents sink, int budget, long now)
    {
        _server = sink;
        return inner.Receive(this, budget, now);
    }

    public override void Wait(long nowNanos, long deadlineNanos) => inner.Wait(nowNanos, deadlineNanos);

    public override void Wake() => inner.Wake();

    public override void Close() => inner.Close();

    public void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now)
    {
        if (Cut.Contains(link))
        {
            _server.FrameDropped(link, DropReason.LostOnCable);
        }
        else
        {
            _server.FrameArrived(link, frame, now);
        }
    }

    public int Encode(Packet packet, Span<byte> frame) => _server.Encode(packet, frame);

    public int TryAppend(Packet packet, Span<byte> frame, int length) => _server.TryAppend(packet, frame, length);

    public int EncodeCopy(Packet packet, Span<byte> frame) => _server.EncodeCopy(packet, frame);

    public void FrameDropped(Link link, DropReason reason) => _server.FrameDropped(link, reason);

    public void LinkFree(Link link, long now) => _server.LinkFree(link, now);

    public void LinkChanged(Link link, bool up, long now) => _server.LinkChanged(link, up, now);

    public void Lose(Packet packet) => _server.Lose(packet);

    public Packet Copy(Packet packet) => _server.Copy(packet);

    public void Lend(Packet packet) => _server.Lend(packet);

    public void TakeBack(Packet packet) => _server.TakeBack(packet);

    public bool Corrupt(Packet packet, ulong random) => _server.Corrupt(packet, random);
}
