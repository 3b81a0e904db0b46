using System.Globalization;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.Runs;

namespace CamCube.Tool.Output;

/// <summary>Swarm runs as text for people: one line of fixed width per event class.</summary>
internal static class SwarmText
{
    private const int ClassWidth = 44;
    private const int CountWidth = 18;

    /// <summary>The sums over all runs.</summary>
    public static IEnumerable<string> Of(SwarmSummary summary)
    {
        yield return $"{"event class", -ClassWidth}{"count", CountWidth}";
        yield return new string('-', ClassWidth + CountWidth);
        foreach ((string eventClass, long count) in summary.Tally.Counts)
        {
            yield return Line(eventClass, count.ToString("N0", CultureInfo.InvariantCulture));
        }

        yield return Line("root overlap, longest (ms)", Millis(summary.LongestOverlapNanos));
        if (summary.ConvergenceNanos is { Count: > 0 } times)
        {
            yield return Line("convergence, median (ms)", Millis(times[times.Count / 2]));
            yield return Line("convergence, longest (ms)", Millis(times[^1]));
        }

        yield return Line(
            "virtual time (s)",
            (summary.VirtualNanos / 1e9).ToString("N1", CultureInfo.InvariantCulture)
        );
        yield return Line("trace hash of all runs", summary.TraceHash.ToString("x16", CultureInfo.InvariantCulture));
        yield return Line("runs", summary.Runs.ToString("N0", CultureInfo.InvariantCulture));
        yield return Line("runs failed", summary.Failed.ToString("N0", CultureInfo.InvariantCulture));
    }

    /// <summary>A run that failed: what was run, what was wrong, and how to see it again.</summary>
    public static IEnumerable<string> OfFailure(SwarmResult result, string replay)
    {
        yield return $"FAILED {result.Options}";
        foreach (CheckFailure failure in result.Failures)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"  {failure.Nanos / 1e6, 12:F6} ms  {failure.Checker}: {failure.What}"
            );
        }

        if (result.FailureCount > result.Failures.Count)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"  and {result.FailureCount - result.Failures.Count} more"
            );
        }

        yield return $"  trace hash {result.TraceHash:x16}; again: {replay}";
    }

    private static string Line(string eventClass, string value) => $"{eventClass, -ClassWidth}{value, CountWidth}";

    private static string Millis(long nanos) => (nanos / 1e6).ToString("N3", CultureInfo.InvariantCulture);
}
