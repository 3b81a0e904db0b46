namespace CamCube.Services.Camdoop.Wire;

/// <summary>What a server is to do for a job, as its tracker wants it now. Says all of it each time, so one that is
/// lost or comes twice does no harm.</summary>
internal sealed record SyncOrder
{
    /// <summary>The tracker does not know yet what this server does: it goes on with that.</summary>
    public bool Adopts { get; init; }

    /// <summary>The job is over: forget it.</summary>
    public bool Ends { get; init; }

    /// <summary>Reduces, or map tasks of a job without, that are ready give their output its name.</summary>
    public bool Commits { get; init; }

    /// <summary>Map tasks that this server runs, or keeps the output of.</summary>
    public IReadOnlyList<TaskOrder> Maps { get; init; } = [];

    /// <summary>Reduces that this server runs.</summary>
    public IReadOnlyList<TaskOrder> Reduces { get; init; } = [];

    /// <summary>Rank of the server that has the output of each map task; null: not all are done, so nobody asks for
    /// pairs.</summary>
    public IReadOnlyList<int>? Holders { get; init; }
}
