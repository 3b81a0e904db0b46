namespace CamCube.Swarm.Exploration;

/// <summary>What an exploration found.</summary>
/// <param name="States">States visited.</param>
/// <param name="Transitions">Steps between them.</param>
/// <param name="Depth">The most steps from the beginning to a state.</param>
/// <param name="IsComplete">Whether there are no others within the bounds.</param>
/// <param name="Violation">The invariant that does not hold, in words; null if all do.</param>
/// <param name="Trace">The shortest way to it, in words.</param>
public sealed record ExploreResult(
    int States,
    long Transitions,
    int Depth,
    bool IsComplete,
    string? Violation,
    IReadOnlyList<string> Trace
);
