using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Runs;

/// <summary>Sums over the runs of many seeds, in seed order. One thread.</summary>
public sealed class SwarmSummary
{
    private readonly List<long> _convergence = [];

    /// <summary>Runs so far.</summary>
    public int Runs { get; private set; }

    /// <summary>Runs in which a checker failed, or the program broke.</summary>
    public int Failed { get; private set; }

    /// <summary>Events of all runs.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>Longest time in which a key had two roots, of all runs, in nanoseconds.</summary>
    public long LongestOverlapNanos { get; private set; }

    /// <summary>Virtual time of all runs together.</summary>
    public long VirtualNanos { get; private set; }

    /// <summary>A hash over the trace hashes of all runs, in seed order.</summary>
    public ulong TraceHash { get; private set; }

    /// <summary>Times until cubes had settled, of all runs, sorted.</summary>
    public IReadOnlyList<long> ConvergenceNanos
    {
        get
        {
            _convergence.Sort();
            return _convergence;
        }
    }

    /// <summary>Adds a run.</summary>
    public void Add(SwarmResult result)
    {
        Runs++;
        Failed += result.FailureCount > 0 ? 1 : 0;
        Tally.Add(result.Tally);
        LongestOverlapNanos = Math.Max(LongestOverlapNanos, result.LongestOverlapNanos);
        VirtualNanos += result.VirtualNanos;
        _convergence.AddRange(result.ConvergenceNanos);
        TraceHash = (TraceHash * 0x9E37_79B9_7F4A_7C15UL) + result.TraceHash;
    }
}
