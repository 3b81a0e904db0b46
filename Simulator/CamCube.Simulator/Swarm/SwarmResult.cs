using CamCube.Simulator.Checkers;

namespace CamCube.Simulator.Swarm;

/// <summary>What one run showed.</summary>
/// <param name="Options">What was run.</param>
/// <param name="Failures">What must not be, and was; empty for a run that passed.</param>
/// <param name="FailureCount">All of them, those too that were not kept.</param>
/// <param name="Tally">Events by class.</param>
/// <param name="ConvergenceNanos">How long the cube took to settle after each time of faults.</param>
/// <param name="LongestOverlapNanos">Longest time during which a key had two roots.</param>
/// <param name="VirtualNanos">Virtual time of the run.</param>
/// <param name="TraceHash">Equal in every run of these options.</param>
public sealed record SwarmResult(
    SwarmOptions Options,
    IReadOnlyList<CheckFailure> Failures,
    long FailureCount,
    SwarmTally Tally,
    IReadOnlyList<long> ConvergenceNanos,
    long LongestOverlapNanos,
    long VirtualNanos,
    ulong TraceHash
);
