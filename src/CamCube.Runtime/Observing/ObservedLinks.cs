using System.Runtime.InteropServices;

namespace CamCube.Runtime.Observing;

/// <summary>Links of an observed server: tells what leaves. The packet path itself has no hook for it.</summary>
internal sealed class ObservedLinks(LinkDriver inner, IServerObserver observer, bool isVirtual) : LinkDecorator(inner)
{
    public override long Transmit(Link link, Packet packet, long now)
    {
        PacketSummary summary = PacketSummary.Of(packet) with { Contents = ContentsOf(packet) };
        long busyUntil = Inner.Transmit(link, packet, now);

        // On simulated cables the packet itself goes on; one that is free again is lost. On real ones encoding has
        // ended it.
        observer.Left(summary, link, now, busyUntil, isLost: isVirtual && packet.OwnerWord == 0);
        return busyUntil;
    }

    private string? ContentsOf(Packet packet) =>
        observer.ContentsOf(
            new ServiceId(packet.ServiceWord),
            MemoryMarshal.CreateReadOnlySpan(ref packet.HeaderStart(), packet.HeaderBytes),
            packet.Buffer is { } buffer ? buffer.Bytes.AsSpan(packet.BodyOffset, packet.BodyBytes) : default
        );
}
