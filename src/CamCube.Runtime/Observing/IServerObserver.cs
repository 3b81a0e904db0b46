namespace CamCube.Runtime.Observing;

/// <summary>
/// Looks at what one server does with packets, in the order in which it does it. All calls come on the server's loop
/// and in the step's own time; an observer must not throw, and its state belongs to this server alone: in a simulated
/// cube other servers may run on other threads. A server without observer pays nothing on the way of a packet.
/// </summary>
public interface IServerObserver
{
    /// <summary>A service gave a packet to the runtime, as its counter of sent packets has it: a new one, a held one,
    /// or an answer.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="links">By which of these it may leave; <see cref="Link.Local"/> is delivery here; of a copy to
    /// each: all of them.</param>
    /// <param name="now">Server time.</param>
    void Sent(in PacketSummary packet, LinkSet links, long now);

    /// <summary>A packet is about to be given to its service. What is dropped before that is only told by
    /// <see cref="Dropped"/>.</summary>
    /// <param name="packet">The packet; its hop limit counts this hop already.</param>
    /// <param name="on">The link it came in by.</param>
    /// <param name="isDestination">Whether it ends here, as this server sees the cube.</param>
    /// <param name="now">Server time.</param>
    void Arrived(in PacketSummary packet, Link on, bool isDestination, long now);

    /// <summary>The service's verdict on the packet of the last <see cref="Arrived"/>, before it takes
    /// effect.</summary>
    /// <param name="packet">The packet as the service left it; of one that it took, as it was before.</param>
    /// <param name="verdict">The verdict.</param>
    /// <param name="links">By which links it may leave because of the verdict; empty if it stays.</param>
    /// <param name="now">Server time.</param>
    void Decided(in PacketSummary packet, Verdict verdict, LinkSet links, long now);

    /// <summary>The service threw instead of giving a verdict; the packet is taken back and counted as Fault.</summary>
    void Threw(in PacketSummary packet, long now);

    /// <summary>A packet was copied: a multicast, or a service that shares.</summary>
    void Copied(in PacketSummary original, uint copy, long now);

    /// <summary>A link that the packet waited for went down, and it was routed again.</summary>
    void Rerouted(in PacketSummary packet, LinkSet links, long now);

    /// <summary>What is in a packet that is about to leave on a link, in short words; null: not known. It becomes
    /// <see cref="PacketSummary.Contents"/>.</summary>
    /// <param name="service">Whose packet it is.</param>
    /// <param name="header">The service's header.</param>
    /// <param name="body">The body, without virtual bytes.</param>
    string? ContentsOf(ServiceId service, ReadOnlySpan<byte> header, ReadOnlySpan<byte> body) => null;

    /// <summary>A packet leaves on a link.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="link">The link.</param>
    /// <param name="now">Server time: its first bit.</param>
    /// <param name="busyUntil">When the link takes the next packet: its last bit, on simulated cables; long.MaxValue if
    /// it is not known.</param>
    /// <param name="isLost">Whether it is known already that it will not arrive: a cut cable, a stopped neighbour, a
    /// fault rule. That the other end had no room is told there, by <see cref="Dropped"/>.</param>
    void Left(in PacketSummary packet, Link link, long now, long busyUntil, bool isLost);

    /// <summary>A packet was dropped and counted.</summary>
    void Dropped(in PacketSummary packet, DropReason reason, long now);
}
