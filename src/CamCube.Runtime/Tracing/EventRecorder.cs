namespace CamCube.Runtime.Tracing;

/// <summary>
/// Writes down what one server's trace hash takes in, for a span of time. Called behind each change of the hash, on the
/// server's loop only; read when nothing runs. Outlives restarts of the server.
/// </summary>
internal sealed class EventRecorder(int rank, long fromNanos, long untilNanos)
{
    private readonly List<TraceEvent> _events = [];

    /// <summary>What has happened so far, in order.</summary>
    public IReadOnlyList<TraceEvent> Events => _events;

    /// <summary>A packet leaves or came in, or is for this very server.</summary>
    public void Packet(long now, TraceEventKind kind, Packet packet, Link? link, ulong hash)
    {
        if (IsInSpan(now))
        {
            ulong number = TraceHash.Headers(0, packet);
            Add(
                now,
                kind,
                number,
                packet.ServiceWord,
                packet.IdWord,
                Coordinate.Unpack(packet.SourceRoute),
                DestinationOf(packet),
                link,
                hash
            );
        }
    }

    /// <summary>A body goes into the hash.</summary>
    public void Body(long now, Packet packet, ReadOnlySpan<byte> bytes, ulong hash)
    {
        if (IsInSpan(now))
        {
            ulong number = TraceHash.Bytes(0, bytes);
            Add(
                now,
                TraceEventKind.Body,
                number,
                packet.ServiceWord,
                packet.IdWord,
                Coordinate.Unpack(packet.SourceRoute),
                DestinationOf(packet),
                null,
                hash
            );
        }
    }

    /// <summary>A service drew a number.</summary>
    public void Draw(long now, ushort service, ulong number, ulong hash)
    {
        if (IsInSpan(now))
        {
            Add(now, TraceEventKind.Draw, number, service, 0, null, null, null, hash);
        }
    }

    /// <summary>A service's timer fires.</summary>
    public void Timer(long now, ushort service, long due, ulong hash)
    {
        if (IsInSpan(now))
        {
            Add(now, TraceEventKind.Timer, (ulong)due, service, 0, null, null, null, hash);
        }
    }

    private static Destination DestinationOf(Packet packet) =>
        Destination.FromWire(packet.Route, (packet.Flags & PacketFlags.ToKey) != 0);

    private bool IsInSpan(long now) => now >= fromNanos && now <= untilNanos;

    private void Add(
        long now,
        TraceEventKind kind,
        ulong number,
        ushort service,
        uint packetId,
        Coordinate? source,
        Destination? destination,
        Link? link,
        ulong hash
    ) =>
        _events.Add(
            new TraceEvent(
                now,
                rank,
                _events.Count + 1,
                kind,
                number,
                service,
                packetId,
                source,
                destination,
                link,
                hash
            )
        );
}
