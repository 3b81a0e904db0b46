namespace CamCube.Chaos.Jobs;

/// <summary>What came of a run of jobs under faults.</summary>
/// <param name="Faults">Faults that were done, by kind.</param>
/// <param name="Jobs">The jobs that had one, in their order.</param>
/// <param name="Undisturbed">Those that had none, by what they do.</param>
/// <param name="Violations">What is not as it has to be, a line each.</param>
public sealed record JobChaosResult(
    IReadOnlyDictionary<JobFaultKind, int> Faults,
    IReadOnlyList<JobEnd> Jobs,
    IReadOnlyDictionary<string, JobEnd> Undisturbed,
    IReadOnlyList<string> Violations
);
