namespace CamCube.Experiments.Camdoop;

/// <summary>Settings of a <see cref="ShuffleCube"/>.</summary>
internal sealed record ShuffleTerms
{
    /// <summary>Rate of each link in bits per second.</summary>
    public long LinkBitsPerSecond { get; init; } = 1_000_000_000;

    /// <summary>Bytes of all streams of pairs of a server, as the service's option of this name.</summary>
    public long Buffers { get; init; } = 64 << 20;

    /// <summary>Whether memory of queues is looked at each millisecond.</summary>
    public bool WatchesMemory { get; init; }
}
