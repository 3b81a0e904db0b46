using System.Runtime.InteropServices;

namespace CamCube;

/// <summary>
/// The six links of one server: what a shim or the simulator implements, and what fault rules, rate limits and captures
/// wrap. All calls come from the server's loop, except <see cref="Wake"/>.
/// </summary>
public abstract class LinkDriver
{
    /// <summary>The answer of <see cref="Transmit"/> for a link that takes nothing until
    /// <see cref="ILinkEvents.LinkFree"/>.</summary>
    public const long Full = long.MaxValue;

    /// <summary>Largest frame, in bytes with its 14-byte Ethernet header, that all links carry: 1,514 or up to 9,014.
    /// Constant from <see cref="Attach"/> on.</summary>
    public abstract int MaxFrameLength { get; }

    /// <summary>
    /// On the loop, before there is a server: which server of the cube this is. A driver that finds it out by the
    /// cabling (<see cref="ILinkProvider.FindsCoordinate"/>) is asked again and again, with a <see cref="Wait"/> in
    /// between, until it knows.
    /// </summary>
    /// <param name="now">Server time.</param>
    /// <param name="coordinate">The place, if the answer is true.</param>
    /// <param name="deadline">When to ask again at the latest, if the answer is false.</param>
    /// <exception cref="LinkProviderException">It will never be known; the message is one line for people.</exception>
    public virtual bool TryPlace(long now, out Coordinate coordinate, out long deadline) =>
        throw new NotSupportedException("These links do not find out whose they are.");

    /// <summary>What is known of the cabling, for people; null if the links do not look. Any thread: an unchanging
    /// snapshot.</summary>
    public virtual CablingReport? Cabling => null;

    /// <summary>On the loop, before the first packet: the server whose links these are. Kept by drivers that encode in
    /// <see cref="Transmit"/>.</summary>
    public virtual void Attach(ILinkEvents server) { }

    /// <summary>Whether packets may have virtual bytes (<see cref="Packet.VirtualLength"/>): true only where cables are
    /// simulated.</summary>
    public virtual bool CarriesVirtualBytes => false;

    /// <summary>
    /// Whether what a link carries goes to the neighbour at its end, as on a cable. False: packets go to where they end
    /// in one step, as through a switch (<see cref="ILinkEvents.AddresseeOf"/>). Then a link's traffic says nothing of
    /// its neighbour, and only what the link state itself sends keeps a link up. Constant.
    /// </summary>
    public virtual bool EndsAtNeighbours => true;

    /// <summary>
    /// Takes the packet, always: it is only called when the link has room, so there is no path on which a driver
    /// refuses and nobody owns the packet. The answer is the time from which the link takes another: at most
    /// <paramref name="now"/> = at once, an instant, or <see cref="Full"/>. The driver turns the packet into bytes with
    /// <see cref="ILinkEvents.Encode"/>, which also ends its life.
    /// </summary>
    public abstract long Transmit(Link link, Packet packet, long now);

    /// <summary>Whether <see cref="TransmitShaped"/> and <see cref="SerialisationNanos"/> may be called: true only
    /// where cables are simulated. On real cables a fault rule holds packets back itself.</summary>
    public virtual bool ShapesPackets => false;

    /// <summary>How long a packet of this length occupies a link, in nanoseconds. Only with
    /// <see cref="ShapesPackets"/>.</summary>
    /// <param name="wireLength"><see cref="Packet.WireLength"/>.</param>
    public virtual long SerialisationNanos(int wireLength) => throw new NotSupportedException();

    /// <summary>
    /// As <see cref="Transmit"/>, on a disturbed cable: the packet occupies the link for a given time and arrives later
    /// than it would, and what is sent after it may overtake it. Only with <see cref="ShapesPackets"/>.
    /// </summary>
    /// <param name="link">The link.</param>
    /// <param name="packet">The packet; the driver's from now on.</param>
    /// <param name="now">Server time.</param>
    /// <param name="busyNanos">How long it occupies the link: at least <see cref="SerialisationNanos"/>.</param>
    /// <param name="laterNanos">How much later it arrives, from 0.</param>
    /// <returns>As <see cref="Transmit"/>.</returns>
    public virtual long TransmitShaped(Link link, Packet packet, long now, long busyNanos, long laterNanos) =>
        throw new NotSupportedException();

    /// <summary>End of a step: hands what was gathered to the operating system.</summary>
    public virtual void Flush(long now) { }

    /// <summary>Gives at most <paramref name="budget"/> frames per link to the sink and returns how many frames those
    /// were. A driver advances its own ring before it calls the sink. Event-driven drivers do nothing here.</summary>
    public virtual int Receive(ILinkEvents sink, int budget, long now) => 0;

    /// <summary>Sleeps until a frame, a <see cref="Wake"/>, or the deadline (server time). Only the thread runner calls
    /// it.</summary>
    public virtual void Wait(long nowNanos, long deadlineNanos) { }

    /// <summary>
    /// Makes <see cref="Wait"/> end, too, when something happens at a descriptor of somebody else's (an epoll of front
    /// ends), which is told from <see cref="Receive"/> or <see cref="Wait"/>. At most once, before the first packet.
    /// False: this driver cannot.
    /// </summary>
    /// <param name="descriptor">Readable when something happened, until it was looked at. Open as long as the links
    /// are.</param>
    /// <param name="happened">Called on the loop, perhaps more often than needed.</param>
    public virtual bool TryWatch(SafeHandle descriptor, Action happened) => false;

    /// <summary>Ends a <see cref="Wait"/>, the present one or the next. Any thread.</summary>
    public virtual void Wake() { }

    /// <summary>Gives up sockets and memory. The loop has ended.</summary>
    public virtual void Close() { }
}
