namespace CamCube;

/// <summary>Links around others that also stand between these and the server: what the links inside tell or ask comes
/// here first, and goes on to the server where it is not overridden.</summary>
/// <param name="inner">The links inside; closed with these.</param>
public abstract class TwoWayLinkDecorator(LinkDriver inner) : LinkDecorator(inner), ILinkEvents
{
    /// <summary>The server, or what stands before it; from <see cref="Attach"/> on.</summary>
    protected ILinkEvents Server { get; private set; } = null!;

    /// <inheritdoc/>
    public override void Attach(ILinkEvents server)
    {
        Server = server;
        Inner.Attach(this);
    }

    /// <inheritdoc/>
    public override int Receive(ILinkEvents sink, int budget, long now)
    {
        Server = sink;
        return Inner.Receive(this, budget, now);
    }

    /// <inheritdoc/>
    public virtual void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now) =>
        Server.FrameArrived(link, frame, now);

    /// <inheritdoc/>
    public virtual int Encode(Packet packet, Span<byte> frame) => Server.Encode(packet, frame);

    /// <inheritdoc/>
    public virtual int TryAppend(Packet packet, Span<byte> frame, int length) =>
        Server.TryAppend(packet, frame, length);

    /// <inheritdoc/>
    public virtual void FrameDropped(Link link, DropReason reason) => Server.FrameDropped(link, reason);

    /// <inheritdoc/>
    public virtual int EncodeCopy(Packet packet, Span<byte> frame) => Server.EncodeCopy(packet, frame);

    /// <inheritdoc/>
    public virtual void LinkFree(Link link, long now) => Server.LinkFree(link, now);

    /// <inheritdoc/>
    public virtual void LinkChanged(Link link, bool up, long now) => Server.LinkChanged(link, up, now);

    /// <inheritdoc/>
    public virtual Coordinate AddresseeOf(Link link, Packet packet) => Server.AddresseeOf(link, packet);

    /// <inheritdoc/>
    public virtual void Lose(Packet packet) => Server.Lose(packet);

    /// <inheritdoc/>
    public virtual Packet Copy(Packet packet) => Server.Copy(packet);

    /// <inheritdoc/>
    public virtual void Lend(Packet packet) => Server.Lend(packet);

    /// <inheritdoc/>
    public virtual void TakeBack(Packet packet) => Server.TakeBack(packet);

    /// <inheritdoc/>
    public virtual bool Corrupt(Packet packet, ulong random) => Server.Corrupt(packet, random);
}
