namespace CamCube.Services.Distribution;

/// <summary>What came of a request.</summary>
/// <param name="Status">Whether it was begun.</param>
/// <param name="Job">The number of the job; 0 if there is none.</param>
/// <param name="Words">Why not, in one line; null if it was begun.</param>
public readonly record struct DistributionAnswer(DistributionStatus Status, ulong Job, string? Words);
