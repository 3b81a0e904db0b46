namespace CamCube.Experiments.KeyValues;

/// <summary>What a load with or without garbage came to.</summary>
/// <param name="MedianNanos">Time of a put, median.</param>
/// <param name="LateNanos">The same, of a hundred all but the slowest.</param>
/// <param name="Puts">Puts that were answered while it was measured.</param>
/// <param name="Failed">Answers other than Done.</param>
/// <param name="Segments">Segments that were compacted meanwhile, of all servers.</param>
/// <param name="MostOfNeeded">The most bytes that a server's log had, as a multiple of those that were needed.</param>
internal sealed record CompactionResult(
    long MedianNanos,
    long LateNanos,
    int Puts,
    long Failed,
    long Segments,
    double MostOfNeeded
);
