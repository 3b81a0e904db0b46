using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>The attempt at a task that was done last. What it gave may be lost since, and made again: it is the same
/// then.</summary>
/// <param name="Server">Rank of the server.</param>
/// <param name="BegunNanos">When it began to work; of who leads the job.</param>
/// <param name="Measure">What it has cost.</param>
internal sealed record DoneAttempt(int Server, long BegunNanos, TaskMeasure Measure)
{
    /// <summary>When it was done.</summary>
    public long EndedNanos => BegunNanos + Measure.TookNanos;
}
