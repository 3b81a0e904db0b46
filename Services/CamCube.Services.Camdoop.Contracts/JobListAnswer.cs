namespace CamCube.Services.Camdoop;

/// <summary>The jobs that are known. Immutable.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Jobs">Newest first; of each what is known without asking its servers.</param>
public readonly record struct JobListAnswer(JobStatus Status, IReadOnlyList<JobState> Jobs);
