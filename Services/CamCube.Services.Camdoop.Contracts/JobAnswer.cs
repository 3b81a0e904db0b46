namespace CamCube.Services.Camdoop;

/// <summary>The end of a request about a job.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="State">Done or TooLate: how the job is doing. Null otherwise.</param>
public readonly record struct JobAnswer(JobStatus Status, JobState? State = null)
{
    /// <summary>Why it was refused, in words for people; null: the status says it.</summary>
    public string? Words { get; init; }
}
