namespace CamCube;

/// <summary>What a link driver tells its server, and the wire codec it uses. Loop only.</summary>
public interface ILinkEvents
{
    /// <summary>
    /// A frame arrived: the bytes after the Ethernet header. They are only read during the call. No bytes can make it throw: what is
    /// malformed, of another version or of an unknown service is dropped and counted (docs/wire-format.md).
    /// </summary>
    void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now);

    /// <summary>Writes a frame of one packet (the bytes after the Ethernet header) and ends the packet's life. Returns the length.</summary>
    /// <exception cref="ArgumentException">The span is too small: at least <see cref="LinkDriver.MaxFrameLength"/> − 14 bytes are needed.</exception>
    int Encode(Packet packet, Span<byte> frame);

    /// <summary>A link that was <see cref="LinkDriver.Full"/> has room again.</summary>
    void LinkFree(Link link, long now);

    /// <summary>The hardware says that a cable was pulled or plugged in. Liveness finds out without it, later.</summary>
    void LinkChanged(Link link, bool up, long now);
}
