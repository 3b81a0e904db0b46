namespace CamCube.Runtime.Engine;

/// <summary>What happened on one link, together in one cache line: a hop touches one of these on its way in and one on
/// its way out.</summary>
internal struct LinkTally
{
    public long SentPackets;
    public long SentBytes;
    public long ReceivedPackets;
    public long ReceivedBytes;

    /// <summary>Time of the last packet that came, for liveness; long.MinValue if none did.</summary>
    public long HeardNanos;

    /// <summary>Time of the last packet that went; long.MinValue if none did.</summary>
    public long SentNanos;
}
