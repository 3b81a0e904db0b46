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
}
