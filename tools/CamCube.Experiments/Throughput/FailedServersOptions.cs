namespace CamCube.Experiments.Throughput;

/// <summary>What an all-to-all experiment on a damaged cube runs.</summary>
public sealed class FailedServersOptions
{
    /// <summary>Axis sizes. Default 8x8x8, as in the paper.</summary>
    public TorusShape Shape { get; init; } = new(8, 8, 8);

    /// <summary>Seed of everything random.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Servers that have failed, by rank.</summary>
    public required IReadOnlyList<int> Failed { get; init; }

    /// <summary>Bits per second that each live server offers. Null: what a whole cube carries just so.</summary>
    public double? OfferedBitsPerSecond { get; init; }

    /// <summary>
    /// True: live servers send to live servers only, at the same rate. False: failed servers keep their turns as
    /// destinations.
    /// </summary>
    public bool SkipUnreachable { get; init; }

    /// <summary>Silence after which servers suspect a neighbour. Default 200 ms, as of a host.</summary>
    public TimeSpan DetectionTime { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Virtual time of traffic before anything is measured: queues fill first.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromMilliseconds(40);

    /// <summary>Virtual time that is measured.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromMilliseconds(40);
}
