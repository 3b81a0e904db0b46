namespace CamCube.Experiments.Transfers;

/// <summary>What a transfer experiment runs.</summary>
public sealed class TransferExperimentOptions
{
    /// <summary>Axis sizes; each at least 3. Default 20x20x20, as in the paper.</summary>
    public TorusShape Shape { get; init; } = new(20, 20, 20);

    /// <summary>Seed of the source, the destinations, and the cube.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Destinations drawn from all servers.</summary>
    public int Destinations { get; init; } = 200;

    /// <summary>Least destinations per number of differing axes; more are drawn where the lot gave fewer.</summary>
    public int LeastPerAxes { get; init; } = 20;

    /// <summary>Different packets that each destination has to get. Default 10,000, as in the paper.</summary>
    public int Packets { get; init; } = 10_000;

    /// <summary>Bytes of each frame with its 14-byte header: 1,500 bytes of frame and packet headers and
    /// payload.</summary>
    public int FrameLength { get; init; } = 1_514;

    /// <summary>Packets that wait at a server at most, for all its links together.</summary>
    public int QueueLimit { get; init; } = 50;

    /// <summary>Bits per second of each link. Default 1 Gbit/s, as in the papers.</summary>
    public long LinkBitsPerSecond { get; init; } = 1_000_000_000;

    /// <summary>The longest way to a destination and back, with a full queue at every server.</summary>
    public long LongestWayNanos
    {
        get
        {
            long frameNanos = FrameLength * 8_000_000_000L / LinkBitsPerSecond;
            return (Shape.Diameter + 4) * (QueueLimit + 4) * frameNanos;
        }
    }
}
