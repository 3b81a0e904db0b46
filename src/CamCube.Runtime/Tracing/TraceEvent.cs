namespace CamCube.Runtime.Tracing;

/// <summary>
/// One event of a recording. The total order of a cube's events is (<see cref="AtNanos"/>, <see cref="Server"/>,
/// <see cref="Sequence"/>).
/// </summary>
/// <param name="AtNanos">True server time; virtual in simulation.</param>
/// <param name="Server">Rank of the server where it happened.</param>
/// <param name="Sequence">Number of the event among those of this server in the recording, from 1.</param>
/// <param name="Kind">What happened.</param>
/// <param name="Number">Kind by kind: digest of the packet's headers (Transmit, Arrive, Local), digest of the bytes
/// (Body), the number drawn (Draw), the time for which the timer was armed (Timer).</param>
/// <param name="Service">Id of the packet's service, or of the one that drew or whose timer fired; 0x0000 is the
/// link-state service.</param>
/// <param name="PacketId">The packet's id; 0 without a packet.</param>
/// <param name="Source">Where the packet came from at first; null without a packet.</param>
/// <param name="Destination">Where it goes; null without a packet.</param>
/// <param name="Link">The link that it leaves on or came by; null for other kinds.</param>
/// <param name="Hash">The server's trace hash after the event: what came before is in it too.</param>
public readonly record struct TraceEvent(
    long AtNanos,
    int Server,
    long Sequence,
    TraceEventKind Kind,
    ulong Number,
    ushort Service,
    uint PacketId,
    Coordinate? Source,
    Destination? Destination,
    Link? Link,
    ulong Hash
) : IComparable<TraceEvent>
{
    /// <summary>The total order of events.</summary>
    public int CompareTo(TraceEvent other) =>
        AtNanos != other.AtNanos ? AtNanos.CompareTo(other.AtNanos)
        : Server != other.Server ? Server.CompareTo(other.Server)
        : Sequence.CompareTo(other.Sequence);
}
