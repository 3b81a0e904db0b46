namespace CamCube.Runtime.Observing;

/// <summary>Links of an observed server: tells what leaves. The packet path itself has no hook for it.</summary>
internal sealed class ObservedLinks(LinkDriver inner, IServerObserver observer, bool isVirtual) : LinkDriver
{
    public override int MaxFrameLength => inner.MaxFrameLength;

    public override bool CarriesVirtualBytes => inner.CarriesVirtualBytes;

    public override bool ShapesPackets => inner.ShapesPackets;

    public override void Attach(ILinkEvents server) => inner.Attach(server);

    public override long Transmit(Link link, Packet packet, long now)
    {
        var summary = PacketSummary.Of(packet);
        long busyUntil = inner.Transmit(link, packet, now);

        // On simulated cables the packet itself goes on; one that is free again is lost. On real ones encoding has
        // ended it.
        observer.Left(summary, link, now, busyUntil, isLost: isVirtual && packet.OwnerWord == 0);
        return busyUntil;
    }

    public override long SerialisationNanos(int wireLength) => inner.SerialisationNanos(wireLength);

    public override long TransmitShaped(Link link, Packet packet, long now, long busyNanos, long laterNanos) =>
        inner.TransmitShaped(link, packet, now, busyNanos, laterNanos);

    public override void Flush(long now) => inner.Flush(now);

    public override int Receive(ILinkEvents sink, int budget, long now) => inner.Receive(sink, budget, now);

    public override void Wait(long nowNanos, long deadlineNanos) => inner.Wait(nowNanos, deadlineNanos);

    public override void Wake() => inner.Wake();

    public override void Close() => inner.Close();
}
