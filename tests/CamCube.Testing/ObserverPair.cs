using CamCube.Runtime.Observing;

namespace CamCube.Testing;

/// <summary>Two observers of one server.</summary>
internal sealed class ObserverPair(IServerObserver first, IServerObserver second) : IServerObserver
{
    public void Sent(in PacketSummary packet, LinkSet links, long now)
    {
        first.Sent(packet, links, now);
        second.Sent(packet, links, now);
    }

    public void Arrived(in PacketSummary packet, Link on, bool isDestination, long now)
    {
        first.Arrived(packet, on, isDestination, now);
        second.Arrived(packet, on, isDestination, now);
    }

    public void Decided(in PacketSummary packet, Verdict verdict, LinkSet links, long now)
    {
        first.Decided(packet, verdict, links, now);
        second.Decided(packet, verdict, links, now);
    }

    public void Threw(in PacketSummary packet, long now)
    {
        first.Threw(packet, now);
        second.Threw(packet, now);
    }

    public void Copied(in PacketSummary original, uint copy, long now)
    {
        first.Copied(original, copy, now);
        second.Copied(original, copy, now);
    }

    public void Rerouted(in PacketSummary packet, LinkSet links, long now)
    {
        first.Rerouted(packet, links, now);
        second.Rerouted(packet, links, now);
    }

    public string? ContentsOf(ServiceId service, ReadOnlySpan<byte> header, ReadOnlySpan<byte> body) =>
        first.ContentsOf(service, header, body) ?? second.ContentsOf(service, header, body);

    public void Left(in PacketSummary packet, Link link, long now, long busyUntil, bool isLost)
    {
        first.Left(packet, link, now, busyUntil, isLost);
        second.Left(packet, link, now, busyUntil, isLost);
    }

    public void Dropped(in PacketSummary packet, DropReason reason, long now)
    {
        first.Dropped(packet, reason, now);
        second.Dropped(packet, reason, now);
    }
}
