using CamCube.Runtime.Observing;

namespace CamCube.Simulator.Seeing;

/// <summary>An observer that looks at nothing yet: derived classes say what they look at.</summary>
public abstract class PacketObserver : IServerObserver
{
    /// <inheritdoc/>
    public virtual void Sent(in PacketSummary packet, LinkSet links, long now) { }

    /// <inheritdoc/>
    public virtual void Arrived(in PacketSummary packet, Link on, bool isDestination, long now) { }

    /// <inheritdoc/>
    public virtual void Decided(in PacketSummary packet, Verdict verdict, LinkSet links, long now) { }

    /// <inheritdoc/>
    public virtual void Threw(in PacketSummary packet, long now) { }

    /// <inheritdoc/>
    public virtual void Copied(in PacketSummary original, uint copy, long now) { }

    /// <inheritdoc/>
    public virtual void Rerouted(in PacketSummary packet, LinkSet links, long now) { }

    /// <inheritdoc/>
    public virtual string? ContentsOf(ServiceId service, ReadOnlySpan<byte> header, ReadOnlySpan<byte> body) => null;

    /// <inheritdoc/>
    public virtual void Left(in PacketSummary packet, Link link, long now, long busyUntil, bool isLost) { }

    /// <inheritdoc/>
    public virtual void Dropped(in PacketSummary packet, DropReason reason, long now) { }
}
