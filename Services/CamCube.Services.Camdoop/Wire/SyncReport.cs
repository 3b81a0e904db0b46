namespace CamCube.Services.Camdoop.Wire;

/// <summary>What a server does for a job: all of it, each time.</summary>
internal sealed record SyncReport
{
    /// <summary>It is learning what the job is.</summary>
    public bool IsLearning { get; init; }

    /// <summary>Whether it has the holders that it was told.</summary>
    public bool HasHolders { get; init; }

    /// <summary>The job cannot go on, whoever tries: why, in words for people; null: it can.</summary>
    public string? Fatal { get; init; }

    /// <summary>Map tasks.</summary>
    public IReadOnlyList<TaskReport> Maps { get; init; } = [];

    /// <summary>Reduces.</summary>
    public IReadOnlyList<TaskReport> Reduces { get; init; } = [];
}
