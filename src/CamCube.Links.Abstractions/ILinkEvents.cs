namespace CamCube;

/// <summary>What a link driver tells its server, and the wire codec it uses. Loop only.</summary>
public interface ILinkEvents
{
    /// <summary>
    /// A frame arrived: the bytes after the Ethernet header. They are only read during the call. No bytes can make it
    /// throw: what is malformed, of another version or of an unknown service is dropped and counted
    /// (docs/wire-format.md).
    /// </summary>
    void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now);

    /// <summary>Writes a frame of one packet (the bytes after the Ethernet header) and ends the packet's life. Returns
    /// the length.</summary>
    /// <exception cref="ArgumentException">The span is too small: at least <see cref="LinkDriver.MaxFrameLength"/> − 14
    /// bytes are needed.</exception>
    int Encode(Packet packet, Span<byte> frame);

    /// <summary>
    /// As <see cref="Encode"/>, behind the packets that are in the frame already: many small packets become one frame
    /// (HPDC §4.1).
    /// </summary>
    /// <param name="packet">The packet; its life ends if it was written.</param>
    /// <param name="frame">The frame's buffer, no longer than the frame may become.</param>
    /// <param name="length">Bytes of the frame so far: what <see cref="Encode"/> or this method returned.</param>
    /// <returns>The frame's new length, or 0: the packet does not fit any more and is unchanged.</returns>
    int TryAppend(Packet packet, Span<byte> frame, int length);

    /// <summary>A frame was thrown away below the server: counted for people, with its reason.</summary>
    void FrameDropped(Link link, DropReason reason);

    /// <summary>Writes what <see cref="Encode"/> would, and the packet lives on: for whoever looks at what passes.
    /// Virtual bytes count in the frame's lengths but are not written, as in a capture that keeps only the beginning of
    /// frames. Returns the bytes that were written.
    /// </summary>
    /// <exception cref="ArgumentException">The span is too small.</exception>
    int EncodeCopy(Packet packet, Span<byte> frame);

    /// <summary>A link that was <see cref="LinkDriver.Full"/> has room again.</summary>
    void LinkFree(Link link, long now);

    /// <summary>The hardware says that a cable was pulled or plugged in. Liveness finds out without it,
    /// later.</summary>
    void LinkChanged(Link link, bool up, long now);

    /// <summary>
    /// Where a packet ends that was given to <see cref="LinkDriver.Transmit"/>: the server it is for, or the root of
    /// its key as this server sees the cube. It is the neighbour of the link if the service chose that link itself, or
    /// if the packet has come to end at this very server meanwhile. Before <see cref="Encode"/>, and only for drivers
    /// that are not cables (<see cref="LinkDriver.EndsAtNeighbours"/>).
    /// </summary>
    Coordinate AddresseeOf(Link link, Packet packet);

    /// <summary>Ends the life of a packet that was given to <see cref="LinkDriver.Transmit"/> and is not going to
    /// arrive. Who calls it counts the loss.</summary>
    void Lose(Packet packet);

    /// <summary>A second packet with the same bytes as one that was given to <see cref="LinkDriver.Transmit"/>, in the
    /// same hands. It counts against no server's budget, as nothing on a cable does.</summary>
    Packet Copy(Packet packet);

    /// <summary>Lets whoever has a packet that was given to <see cref="LinkDriver.Transmit"/> look at it as its owner
    /// does, until <see cref="TakeBack"/>: on a link a packet belongs to nobody, and Debug builds hold that.</summary>
    void Lend(Packet packet);

    /// <summary>Ends <see cref="Lend"/>: the packet is on its link again.</summary>
    void TakeBack(Packet packet);

    /// <summary>
    /// Turns one bit of a packet that was given to <see cref="LinkDriver.Transmit"/>, as if on the cable. The bits are
    /// those of the frame with this one packet, without Ethernet header, and then its virtual bytes, which nobody
    /// notices.
    /// </summary>
    /// <param name="packet">The packet.</param>
    /// <param name="random">Any number; its remainder is the bit.</param>
    /// <returns>False: no receiver could read what it has become; the packet is unchanged and still the caller's, who
    /// loses it.</returns>
    bool Corrupt(Packet packet, ulong random);
}
