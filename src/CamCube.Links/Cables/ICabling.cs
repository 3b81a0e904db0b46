namespace CamCube.Cables;

/// <summary>
/// The protocol between the ends of cables: which server this is, and behind which ports the right servers are. A step
/// machine like the server itself: it reads no clock and sends nothing but in <see cref="Run"/>. All members loop only,
/// except <see cref="Report"/>.
/// </summary>
public interface ICabling
{
    /// <summary>The links whose cable leads to the server that belongs there, both directions working. Packets are sent
    /// and taken on these only. May change with every call of the other members.</summary>
    LinkSet Admitted { get; }

    /// <summary>Largest frame, with Ethernet header, that every link of the cube as far as known carries. Constant once
    /// <see cref="TryPlace"/> has answered true.</summary>
    int MaxFrameLength { get; }

    /// <summary>Control frames that could not be read.</summary>
    long MalformedFrames => 0;

    /// <summary>When <see cref="Run"/> is wanted at the latest, in server time.</summary>
    long Deadline { get; }

    /// <summary>What is known, for people. Any thread; an unchanging snapshot.</summary>
    CablingReport Report { get; }

    /// <summary>The place of this server, once it is known; the same for life.</summary>
    bool TryPlace(out Coordinate coordinate);

    /// <summary>The link that a port is, null if it is only listened on. Constant once <see cref="TryPlace"/> has
    /// answered true.</summary>
    Link? LinkOf(CablePort port) => port?.Link;

    /// <summary>A control frame (first byte 0) arrived. No bytes can make it throw.</summary>
    void FrameArrived(int port, ReadOnlySpan<byte> frame, long now);

    /// <summary>The hardware said something about a port.</summary>
    void PortChanged(int port, bool isUp, int maxFrameLength, long now);

    /// <summary>As <see cref="ICablePortEvents.ForeignChanged"/>.</summary>
    void ForeignChanged(int port, ForeignTraffic? traffic, long now) { }

    /// <summary>Sends what is due.</summary>
    void Run(long now, ICablingSender sender);

    /// <summary>Gives up what is kept open. The loop has ended.</summary>
    void Close() { }
}
