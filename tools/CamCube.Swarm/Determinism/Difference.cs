namespace CamCube.Swarm.Determinism;

/// <summary>Where two runs of a seed part.</summary>
/// <param name="Variants">How the two were run.</param>
/// <param name="Checkpoint">Number of the first checkpoint that is not the same, from 1; 0: all are, and only a count
/// differs.</param>
/// <param name="FromNanos">Time of the last equal checkpoint, or 0.</param>
/// <param name="AtNanos">Time of the first different one.</param>
/// <param name="Servers">Servers whose hashes differ there.</param>
/// <param name="First">The first event that is not the same, in the first run; null if that one has no more
/// events.</param>
/// <param name="Second">The same of the second run. Both null: run again, the two were equal.</param>
public sealed record Difference(
    IReadOnlyList<string> Variants,
    int Checkpoint,
    long FromNanos,
    long AtNanos,
    IReadOnlyList<string> Servers,
    RunEvent? First,
    RunEvent? Second
);
