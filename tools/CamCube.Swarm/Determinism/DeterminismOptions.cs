namespace CamCube.Swarm.Determinism;

/// <summary>What a check runs.</summary>
/// <param name="Shape">Axis sizes, or null: drawn for each seed.</param>
/// <param name="DurationNanos">Virtual time of each run.</param>
/// <param name="Threads">Numbers of threads that are compared.</param>
/// <param name="PlantNanos">Time from which one service is made non-deterministic, or null.</param>
public sealed record DeterminismOptions(string? Shape, long DurationNanos, IReadOnlyList<int> Threads, long? PlantNanos)
{
    /// <summary>The request for one child process.</summary>
    public RunRequest RequestFor(ulong seed, RunVariant variant) =>
        new(seed, Shape, DurationNanos, variant.Threads, variant.IsLogging, PlantNanos);
}
