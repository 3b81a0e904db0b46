namespace CamCube.Services.Camdoop;

/// <summary>How a job is doing, or how it ended. Immutable.</summary>
/// <param name="Name">Its name, as in <c>job_1764420000000_0001</c>.</param>
/// <param name="Phase">What it is doing.</param>
public sealed record JobState(string Name, JobPhase Phase)
{
    /// <summary>What people call it.</summary>
    public string Title { get; init; } = "";

    /// <summary>The directory of its output.</summary>
    public string Output { get; init; } = "";

    /// <summary>When it was begun, by the clock of the server that was asked.</summary>
    public DateTimeOffset Begun { get; init; }

    /// <summary>How long it has run, or did.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Its map tasks.</summary>
    public TaskCounts Maps { get; init; }

    /// <summary>Its reduces.</summary>
    public TaskCounts Reduces { get; init; }

    /// <summary>Counters of accepted map attempts and of reduces that are done, by group and name.</summary>
    public IReadOnlyList<JobCounter> Counters { get; init; } = [];

    /// <summary>Attempts that failed, the newest last, at most <see cref="MostFailures"/>.</summary>
    public IReadOnlyList<AttemptFailure> Failures { get; init; } = [];

    /// <summary>Why it failed, in words for people; null: it did not.</summary>
    public string? Words { get; init; }

    /// <summary>Most failures that are told.</summary>
    public const int MostFailures = 32;

    /// <summary>Whether nothing of it will change any more.</summary>
    public bool IsOver => Phase is JobPhase.Done or JobPhase.Failed or JobPhase.Cancelled;
}
