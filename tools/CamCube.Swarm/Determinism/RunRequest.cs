namespace CamCube.Swarm.Determinism;

/// <summary>What one child process is to run. JSON between the two.</summary>
/// <param name="Seed">Seed of the scenario.</param>
/// <param name="Shape">Axis sizes, or null: drawn.</param>
/// <param name="DurationNanos">Virtual time.</param>
/// <param name="Threads">Threads that simulate.</param>
/// <param name="IsLogging">Whether everything is logged and recorded.</param>
/// <param name="PlantNanos">Time from which one service does what no service may do, or null.</param>
/// <param name="RecordFromNanos">Begin of the span whose events are printed.</param>
/// <param name="RecordUntilNanos">Its end, or null: none are printed.</param>
public sealed record RunRequest(
    ulong Seed,
    string? Shape,
    long DurationNanos,
    int Threads,
    bool IsLogging,
    long? PlantNanos = null,
    long RecordFromNanos = 0,
    long? RecordUntilNanos = null
);
