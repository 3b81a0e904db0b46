using System.Globalization;
using System.Text.Json.Serialization;
using CamCube.Simulator.Seeing;
using CamCube.Swarm.Runs;

namespace CamCube.Tool.Output;

/// <summary>What <c>camcube sim swarm --json</c> prints; the properties in this order.</summary>
/// <param name="IsComplete">False: it was ended early, and runs are missing.</param>
/// <param name="Planned">Runs that were to be done.</param>
/// <param name="Runs">Runs that were done.</param>
/// <param name="Failed">Those of them that failed.</param>
/// <param name="Events">Events of all runs by class.</param>
/// <param name="RootOverlapLongestMillis">Longest time during which a key had two roots.</param>
/// <param name="ConvergenceMedianMillis">Median of the times until cubes had settled; 0 if there are none.</param>
/// <param name="ConvergenceLongestMillis">The longest of them.</param>
/// <param name="VirtualSeconds">Virtual time of all runs.</param>
/// <param name="TraceHash">16 hexadecimal digits over all runs, in seed order.</param>
/// <param name="Failures">The failed runs.</param>
internal sealed record SwarmJson(
    bool IsComplete,
    int Planned,
    int Runs,
    int Failed,
    IReadOnlyDictionary<string, long> Events,
    double RootOverlapLongestMillis,
    double ConvergenceMedianMillis,
    double ConvergenceLongestMillis,
    double VirtualSeconds,
    string TraceHash,
    IReadOnlyList<SwarmFileRun> Failures
)
{
    /// <summary>The steps of the packet of <c>--trace-packet</c>; not there without it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<PacketStep>? PacketTrace { get; init; }

    /// <summary>The sums over some runs.</summary>
    public static SwarmJson Of(SwarmSummary summary, int planned, IReadOnlyList<SwarmFileRun> failures)
    {
        IReadOnlyList<long> times = summary.ConvergenceNanos;
        return new SwarmJson(
            summary.Runs == planned,
            planned,
            summary.Runs,
            summary.Failed,
            summary.Tally.Counts,
            summary.LongestOverlapNanos / 1e6,
            times.Count == 0 ? 0 : times[times.Count / 2] / 1e6,
            times.Count == 0 ? 0 : times[^1] / 1e6,
            summary.VirtualNanos / 1e9,
            summary.TraceHash.ToString("x16", CultureInfo.InvariantCulture),
            failures
        );
    }
}
