namespace CamCube.Services.Camdoop;

/// <summary>The end of a request for a job's report.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Report">Done: the report. Null otherwise.</param>
public readonly record struct JobReportAnswer(JobStatus Status, JobReport? Report = null)
{
    /// <summary>Why there is none, in words for people; null: the status says it.</summary>
    public string? Words { get; init; }
}
