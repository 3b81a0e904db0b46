using System.Runtime.InteropServices;

namespace CamCube;

/// <summary>Links around others, to which everything goes that is not overridden. Calls come from the server's loop, as
/// those of any <see cref="LinkDriver"/>.</summary>
/// <param name="inner">The links inside; closed with these.</param>
public abstract class LinkDecorator(LinkDriver inner) : LinkDriver
{
    /// <summary>The links inside.</summary>
    protected LinkDriver Inner { get; } = inner;

    /// <inheritdoc/>
    public override int MaxFrameLength => Inner.MaxFrameLength;

    /// <inheritdoc/>
    public override CablingReport? Cabling => Inner.Cabling;

    /// <inheritdoc/>
    public override bool CarriesVirtualBytes => Inner.CarriesVirtualBytes;

    /// <inheritdoc/>
    public override bool EndsAtNeighbours => Inner.EndsAtNeighbours;

    /// <inheritdoc/>
    public override bool ShapesPackets => Inner.ShapesPackets;

    /// <inheritdoc/>
    public override bool TryPlace(long now, out Coordinate coordinate, out long deadline) =>
        Inner.TryPlace(now, out coordinate, out deadline);

    /// <inheritdoc/>
    public override void Attach(ILinkEvents server) => Inner.Attach(server);

    /// <inheritdoc/>
    public override long Transmit(Link link, Packet packet, long now) => Inner.Transmit(link, packet, now);

    /// <inheritdoc/>
    public override long SerialisationNanos(int wireLength) => Inner.SerialisationNanos(wireLength);

    /// <inheritdoc/>
    public override long TransmitShaped(Link link, Packet packet, long now, long busyNanos, long laterNanos) =>
        Inner.TransmitShaped(link, packet, now, busyNanos, laterNanos);

    /// <inheritdoc/>
    public override void Flush(long now) => Inner.Flush(now);

    /// <inheritdoc/>
    public override int Receive(ILinkEvents sink, int budget, long now) => Inner.Receive(sink, budget, now);

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos) => Inner.Wait(nowNanos, deadlineNanos);

    /// <inheritdoc/>
    public override bool TryWatch(SafeHandle descriptor, Action happened) => Inner.TryWatch(descriptor, happened);

    /// <inheritdoc/>
    public override void Wake() => Inner.Wake();

    /// <inheritdoc/>
    public override void Close() => Inner.Close();
}
