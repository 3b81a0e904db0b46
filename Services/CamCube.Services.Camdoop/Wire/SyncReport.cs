using CamCube.Services.Camdoop.Plans;

namespace CamCube.Services.Camdoop.Wire;

/// <summary>What a server does for a job: all of it, each time, but what its tracker has heard already.</summary>
internal sealed record SyncReport : IChecked
{
    /// <summary>It is learning what the job is.</summary>
    public bool IsLearning { get; init; }

    /// <summary><see cref="Wire.HoldersSum"/> of the holders that it has: others are told to it.</summary>
    public ulong HoldersSum { get; init; }

    /// <summary>Pulls of pairs have had no memory for long (<c>Buffers</c>), here or where they go.</summary>
    public bool Starves { get; init; }

    /// <summary>There is more to say than one report has room for: ask again.</summary>
    public bool HasMore { get; init; }

    /// <summary>The job cannot go on, whoever tries: why, in words for people; null: it can.</summary>
    public string? Fatal { get; init; }

    /// <summary>Map tasks of which there is news.</summary>
    public IReadOnlyList<TaskReport> Maps { get; init; } = [];

    /// <summary>Numbers of ordered map tasks that are as the tracker has heard.</summary>
    public IReadOnlyList<int> SameMaps { get; init; } = [];

    /// <summary>Reduces of which there is news.</summary>
    public IReadOnlyList<TaskReport> Reduces { get; init; } = [];

    /// <summary>As <see cref="SameMaps"/>.</summary>
    public IReadOnlyList<int> SameReduces { get; init; } = [];

    /// <summary>What was counted, if that was asked.</summary>
    public ServerMeasure? Measure { get; init; }

    /// <inheritdoc/>
    public bool IsSound =>
        Maps.Concat(Reduces).All(static task => task is not null) && Measure is null or { IsSound: true };
}
