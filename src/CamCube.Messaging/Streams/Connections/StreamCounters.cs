namespace CamCube.Messaging.Streams.Connections;

/// <summary>What an endpoint counts, as counters of its service.</summary>
internal sealed class StreamCounters(IServer server)
{
    public Counter Starts { get; } = server.Counters.Create("stream_endpoint_starts", "{start}");

    public Counter Opened { get; } = server.Counters.Create("streams_opened", "{stream}");

    public Counter Accepted { get; } = server.Counters.Create("streams_accepted", "{stream}");

    /// <summary>Packets that cannot be right: their connections are closed.</summary>
    public Counter Malformed { get; } = server.Counters.Create("stream_packets_malformed", "{packet}");

    /// <summary>Packets of connections that are not known here.</summary>
    public Counter Stray { get; } = server.Counters.Create("stream_packets_stray", "{packet}");

    /// <summary>Packets that were marked here.</summary>
    public Counter Marked { get; } = server.Counters.Create("stream_packets_marked", "{packet}");

    /// <summary>Streams that are open now.</summary>
    public Counter Open { get; } = server.Counters.Create("streams_open", "{stream}");

    /// <summary>Connections that there are now.</summary>
    public Counter Connections { get; } = server.Counters.Create("stream_connections", "{connection}");

    /// <summary>Bytes that peers may send, or have sent and nobody has read, now.</summary>
    public Counter CreditGranted { get; } = server.Counters.Create("stream_credit_granted", "By");

    /// <summary>Bytes of memory set apart, for this credit and for what was written and has not arrived, now.</summary>
    public Counter MemoryHeld { get; } = server.Counters.Create("stream_memory_held", "By");

    /// <summary>Packets sent on paths that begin with a link.</summary>
    public LinkCounter PathPackets { get; } = server.Counters.CreatePerLink("stream_path_packets", "{packet}");

    /// <summary>Bytes of their bodies.</summary>
    public LinkCounter PathBytes { get; } = server.Counters.CreatePerLink("stream_path_bytes", "By");

    /// <summary>Those of them that were lost.</summary>
    public LinkCounter PathLost { get; } = server.Counters.CreatePerLink("stream_path_lost", "{packet}");

    /// <summary>Those of them that a hop marked.</summary>
    public LinkCounter PathMarked { get; } = server.Counters.CreatePerLink("stream_path_marked", "{packet}");

    /// <summary>Packets that may be under way, of all connections together, now.</summary>
    public LinkCounter PathWindow { get; } = server.Counters.CreatePerLink("stream_path_window", "{packet}");

    /// <summary>The longest of the estimated round trips, now.</summary>
    public LinkCounter PathRoundTrip { get; } = server.Counters.CreatePerLink("stream_path_round_trip", "us");
}
