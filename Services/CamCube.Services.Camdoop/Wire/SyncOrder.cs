using CamCube.Services.Camdoop.Plans;

namespace CamCube.Services.Camdoop.Wire;

/// <summary>What a server is to do for a job, as its tracker wants it now. Says all of it each time, so one that is
/// lost or comes twice does no harm.</summary>
internal sealed record SyncOrder : IChecked
{
    /// <summary>Instead of a holder: the job goes on without the task.</summary>
    public const int NoHolder = -1;

    /// <summary>The tracker does not know yet what this server does: it goes on with that.</summary>
    public bool Adopts { get; init; }

    /// <summary>The job is over: forget it.</summary>
    public bool Ends { get; init; }

    /// <summary>Reduces, or map tasks of a job without, that are ready give their output its name.</summary>
    public bool Commits { get; init; }

    /// <summary>The report is to say what was counted (<see cref="ServerMeasure"/>).</summary>
    public bool Measures { get; init; }

    /// <summary>Map tasks that this server runs, or keeps the output of.</summary>
    public IReadOnlyList<TaskOrder> Maps { get; init; } = [];

    /// <summary>What the tracker has heard of each: its <see cref="TaskStage"/> as a digit. What is still so is not
    /// said again.</summary>
    public string MapStages { get; init; } = "";

    /// <summary>Reduces that this server runs.</summary>
    public IReadOnlyList<TaskOrder> Reduces { get; init; } = [];

    /// <summary>As <see cref="MapStages"/>.</summary>
    public string ReduceStages { get; init; } = "";

    /// <summary>Rank of the server that has the output of each map task; null: as the server has heard, or not all are
    /// done, so nobody asks for pairs.</summary>
    public IReadOnlyList<int>? Holders { get; init; }

    /// <inheritdoc/>
    public bool IsSound => MapStages.Length == Maps.Count && ReduceStages.Length == Reduces.Count;
}
