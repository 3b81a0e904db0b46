using System.Globalization;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Runs;

/// <summary>One run in a result file.</summary>
/// <param name="Options">What was run.</param>
/// <param name="TraceHash">16 hexadecimal digits.</param>
/// <param name="RootOverlapLongestMillis">Longest time in which a key had two roots.</param>
/// <param name="FailureCount">All failures.</param>
/// <param name="Failures">The first of them, one line each.</param>
public sealed record SwarmFileRun(
    SwarmOptions Options,
    string TraceHash,
    double RootOverlapLongestMillis,
    long FailureCount,
    IReadOnlyList<string> Failures
)
{
    /// <summary>A run as a file keeps it.</summary>
    public static SwarmFileRun Of(SwarmResult result) =>
        new(
            result.Options,
            result.TraceHash.ToString("x16", CultureInfo.InvariantCulture),
            result.LongestOverlapNanos / 1e6,
            result.FailureCount,
            [
                .. result.Failures.Select(f =>
                    $"{f.Checker} at {f.Nanos.ToString(CultureInfo.InvariantCulture)} ns: {f.What}"
                ),
            ]
        );
}
