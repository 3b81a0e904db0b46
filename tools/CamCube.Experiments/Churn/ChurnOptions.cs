namespace CamCube.Experiments.Churn;

/// <summary>What a churn experiment runs.</summary>
public sealed class ChurnOptions
{
    /// <summary>Axis sizes. Default 8x8x8, as in the paper.</summary>
    public TorusShape Shape { get; init; } = new(8, 8, 8);

    /// <summary>Seed of everything random.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Servers that fail per second, on average; times between failures are exponential.</summary>
    public required double FailuresPerSecond { get; init; }

    /// <summary>Part of the servers that is down on average: decides how long a failed server stays down. Default
    /// 0.1.</summary>
    public double PartDown { get; init; } = 0.1;

    /// <summary>Packets that each server sends per second, each to a random key.</summary>
    public double PacketsPerSecond { get; init; } = 100;

    /// <summary>Virtual time that is measured.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Silence after which servers suspect a neighbour. Default 200 ms, as of a host.</summary>
    public TimeSpan DetectionTime { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// Bytes of each frame with its 14-byte header. Default 1,514. The load is so small that only the detection time
    /// counts.
    /// </summary>
    public int FrameLength { get; init; } = 1_514;
}
