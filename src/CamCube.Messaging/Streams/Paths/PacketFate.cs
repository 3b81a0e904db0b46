namespace CamCube.Messaging.Streams.Paths;

/// <summary>What became of a packet that was sent.</summary>
internal enum PacketFate : byte
{
    InFlight,
    Arrived,
    Lost,

    /// <summary>It counted as lost, and came after all.</summary>
    Late,
}
