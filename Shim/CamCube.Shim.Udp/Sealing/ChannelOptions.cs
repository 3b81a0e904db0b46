namespace CamCube.Shim.Udp.Sealing;

/// <summary>When a channel changes its keys and how patient it is. Times in nanoseconds.</summary>
internal sealed record ChannelOptions
{
    /// <summary>Frames under one key before a new one is wanted. Fewer: more handshakes. AES-GCM itself would bear 2³²
    /// of these frames.</summary>
    public ulong RekeyFrames { get; init; } = 1 << 24;

    /// <summary>Age of a key at which a new one is wanted.</summary>
    public long RekeyNanos { get; init; } = 3_600_000_000_000;

    /// <summary>Frames under one key after which nothing is sent any more, if no handshake succeeds.</summary>
    public ulong LastFrame { get; init; } = 1UL << 32;

    /// <summary>How long nothing genuine arrives before the neighbour counts as silent.</summary>
    public long SilenceNanos { get; init; } = 3_000_000_000;

    /// <summary>How long after a change frames under the keys before are still taken.</summary>
    public long LateNanos { get; init; } = 10_000_000_000;

    /// <summary>Time before a handshake message is sent again, at first; doubled up to
    /// <see cref="LongestRetryNanos"/>.</summary>
    public long RetryNanos { get; init; } = 50_000_000;

    /// <summary>Longest time before a handshake message is sent again.</summary>
    public long LongestRetryNanos { get; init; } = 1_000_000_000;
}
