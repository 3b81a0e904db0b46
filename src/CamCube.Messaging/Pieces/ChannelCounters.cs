namespace CamCube.Messaging.Pieces;

/// <summary>What a channel counts, as counters of its service.</summary>
internal sealed class ChannelCounters(IServer server)
{
    public Counter Sent { get; } = server.Counters.Create("messages_sent", "{message}");

    public Counter Received { get; } = server.Counters.Create("messages_received", "{message}");

    /// <summary>Channels of this service that began in this run of the server.</summary>
    public Counter Starts { get; } = server.Counters.Create("message_channel_starts", "{start}");

    /// <summary>A bound did not allow another message.</summary>
    public Counter Refused { get; } = server.Counters.Create("messages_refused", "{message}");

    /// <summary>Half-arrived messages that were forgotten after silence.</summary>
    public Counter Expired { get; } = server.Counters.Create("messages_expired", "{message}");

    /// <summary>Messages of which pieces were sent again.</summary>
    public Counter Repaired { get; } = server.Counters.Create("messages_repaired", "{message}");

    /// <summary>Pieces that were here already.</summary>
    public Counter Duplicates { get; } = server.Counters.Create("message_duplicates", "{packet}");
}
