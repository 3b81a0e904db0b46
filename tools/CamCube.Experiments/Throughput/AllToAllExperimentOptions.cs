namespace CamCube.Experiments.Throughput;

/// <summary>What an all-to-all experiment runs.</summary>
public sealed class AllToAllExperimentOptions
{
    /// <summary>Axis sizes; at least two servers.</summary>
    public required TorusShape Shape { get; init; }

    /// <summary>Seed of everything random: each server's order of destinations and first moment of sending.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Offered load as a part of the bound. Default 1: as much as the cables could carry.</summary>
    public double Load { get; init; } = 1;

    /// <summary>
    /// False, the default: the cube was commissioned before and starts whole. True: its servers find each other by
    /// flooding, during the warm-up, in which what they send too early is dropped.
    /// </summary>
    public bool ColdStart { get; init; }

    /// <summary>Threads that simulate. Default 1; what happens does not depend on it.</summary>
    public int Threads { get; init; } = 1;

    /// <summary>Virtual time before anything is measured. Default 20 ms.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Virtual time that is measured. Default 50 ms.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Bytes of each frame with its 14-byte Ethernet header. Default 9,014, the largest.</summary>
    public int FrameLength { get; init; } = 9_014;

    /// <summary>Bits per second of each link. Default 1 Gbit/s, as in the papers.</summary>
    public long LinkBitsPerSecond { get; init; } = 1_000_000_000;
}
