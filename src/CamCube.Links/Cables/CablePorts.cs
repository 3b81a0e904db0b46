using System.Runtime.InteropServices;

namespace CamCube.Cables;

/// <summary>
/// The ports of one server as a shim sees them: frames of bytes, gathered and handed to the operating system in
/// batches. <see cref="CableLinks"/> makes links of them. All calls come from the server's loop, except
/// <see cref="Wake"/>. Nothing here allocates per frame.
/// </summary>
/// <remarks>
/// A frame is what follows the 14-byte Ethernet header; lengths named <c>MaxFrameLength</c> count that header, others
/// do not. Buffers belong to the ports: a sender writes into what <see cref="Rent"/> gives, so a frame is copied at
/// most once between a packet and the kernel.
/// </remarks>
public abstract class CablePorts
{
    /// <summary>All ports; the same list for life. Those of links come first, in the order of the links.</summary>
    public abstract IReadOnlyList<CablePort> Ports { get; }

    /// <summary>Whether the hardware says that a cable is in. A port that cannot know says true.</summary>
    public abstract bool IsUp(int port);

    /// <summary>Largest frame of a port in bytes, with 14 bytes of Ethernet header: its MTU + 14, at most 9,014. 0
    /// while the port is gone.
    /// </summary>
    public abstract int MaxFrameLength(int port);

    /// <summary>How many frames may be rented and sent on this port before the next <see cref="Flush"/>. A port that is
    /// down or gone says the size of its ring, and loses what is sent.</summary>
    public abstract int Room(int port);

    /// <summary>
    /// The buffer of the next frame: at least the largest frame ever possible on this port, without Ethernet header
    /// (9,000 bytes for a jumbo port). The same buffer again and again until <see cref="Send"/>. Only with
    /// <see cref="Room"/> of at least 1.
    /// </summary>
    public abstract Span<byte> Rent(int port);

    /// <summary>The rented buffer holds a frame: it goes out with the next <see cref="Flush"/>, or before. Padding to
    /// the medium's minimum is the ports' work. A frame that is longer than the port's present maximum is lost and told
    /// (<see cref="DropReason.TooLarge"/>).
    /// </summary>
    public abstract void Send(int port, int length);

    /// <summary>
    /// Hands over what was sent. What the operating system does not take now stays, in order, and is offered again at
    /// the next call; a port whose room comes back says so to the events, in this call or in <see cref="Receive"/>.
    /// </summary>
    public abstract void Flush(ICablePortEvents events, long now);

    /// <summary>Gives at most <paramref name="budget"/> frames per port, and changes of ports. Returns how many frames
    /// those were. The ports advance their own ring before they call.</summary>
    public abstract int Receive(ICablePortEvents events, int budget, long now);

    /// <summary>Sleeps until a frame or room or a change of a port, a <see cref="Wake"/>, or the deadline (server time,
    /// as <paramref name="nowNanos"/>).</summary>
    public abstract void Wait(long nowNanos, long deadlineNanos);

    /// <summary>As <see cref="LinkDriver.TryWatch"/>.</summary>
    public virtual bool TryWatch(SafeHandle descriptor, Action happened) => false;

    /// <summary>Ends a <see cref="Wait"/>, the present one or the next. Any thread.</summary>
    public abstract void Wake();

    /// <summary>Gives up sockets and memory. The loop has ended.</summary>
    public abstract void Close();
}
