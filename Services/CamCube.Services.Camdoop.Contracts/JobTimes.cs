namespace CamCube.Services.Camdoop;

/// <summary>How long the phases of a job took; null: it has not come to one, or who knew is lost. Together they are all
/// of its time.</summary>
/// <param name="Planning">Until its first map task began.</param>
/// <param name="Mapping">From then until the last map task was done.</param>
/// <param name="Reducing">From then until the last reduce was done.</param>
/// <param name="Committing">From then until its output had its names.</param>
public readonly record struct JobTimes(TimeSpan? Planning, TimeSpan? Mapping, TimeSpan? Reducing, TimeSpan? Committing);
