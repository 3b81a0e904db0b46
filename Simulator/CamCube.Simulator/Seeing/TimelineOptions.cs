namespace CamCube.Simulator.Seeing;

/// <summary>What of a run goes into a timeline.</summary>
public sealed class TimelineOptions
{
    /// <summary>Events after which nothing more is recorded; <see cref="Timeline.CutOffNanos"/> says when that was.
    /// Default 250,000, about 50 MB.</summary>
    public long MostEvents { get; init; } = 250_000;

    /// <summary>Virtual time in nanoseconds before which packets are left out; what happens to the cube itself is
    /// always there. Default 0.</summary>
    public long FromNanos { get; init; }

    /// <summary>What is in packets; the words stand behind the name of their service. Called on the threads of the
    /// servers. Default: none.</summary>
    public PacketWords? ContentsOf { get; init; }
}
