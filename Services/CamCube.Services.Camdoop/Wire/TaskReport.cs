namespace CamCube.Services.Camdoop.Wire;

/// <summary>How far an attempt at a task is, as its server says.</summary>
/// <param name="Task">The task's number.</param>
/// <param name="Attempt">The attempt's number.</param>
/// <param name="Stage">How far it is.</param>
internal sealed record TaskReport(int Task, int Attempt, TaskStage Stage)
{
    /// <summary>Its counters, once it is ready.</summary>
    public IReadOnlyList<JobCounter> Counters { get; init; } = [];

    /// <summary>What it has cost, once it works or is ready; null: it does not, or nobody knows.</summary>
    public TaskMeasure? Measure { get; init; }

    /// <summary>Of a map task that is ready: SHA-256 of its output, which is the same in every attempt.</summary>
    public string? Sum { get; init; }

    /// <summary>Why it failed, in words for people.</summary>
    public string? Words { get; init; }

    /// <summary>The end of what its program wrote to standard error.</summary>
    public string ErrorText { get; init; } = "";

    /// <summary>It failed for no fault of its own, as its server has no room or stops: it does not count.</summary>
    public bool IsInnocent { get; init; }
}
