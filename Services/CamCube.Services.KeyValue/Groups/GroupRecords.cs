namespace CamCube.Services.KeyValue.Groups;

/// <summary>What a store finds of one group when it starts: the latest durable record of each kind.</summary>
internal sealed record GroupRecords
{
    /// <summary>The births that it refused, in the order in which it did.</summary>
    public IReadOnlyList<GroupEpoch> Refused { get; init; } = [];

    /// <summary>The birth it takes part in, if that is not over.</summary>
    public GroupEpoch? Birth { get; init; }

    /// <summary>The recovery that it agreed to, if no epoch of that generation was entered.</summary>
    public GroupRecovery? Recovery { get; init; }

    /// <summary>Whether all who were asked are known to have agreed.</summary>
    public bool IsDecided { get; init; }

    /// <summary>The epoch entered last (<see cref="ActionKind.WriteEpoch"/>); null if none was.</summary>
    public GroupEpoch? Epoch { get; init; }

    /// <summary>The index at which it begins.</summary>
    public ulong EpochIndex { get; init; }

    /// <summary><see cref="GroupState.EndedBallot"/> when it was entered.</summary>
    public Ballot EndedBallot { get; init; }

    /// <summary><see cref="GroupState.HasEnd"/> when it was entered.</summary>
    public bool HasEnd { get; init; }

    /// <summary>Whether the data was dropped.</summary>
    public bool IsDropped { get; init; }

    /// <summary>The ballot promised last, of the epoch entered last or that epoch's first.</summary>
    public Ballot Ballot { get; init; }

    /// <summary>Who was voted for in it, by position; -1 for nobody.</summary>
    public int Voted { get; init; } = -1;

    /// <summary>The index before the first entry that is kept.</summary>
    public ulong BaseIndex { get; init; }

    /// <summary>The ballot of the entry there; at an epoch's beginning, that epoch's first ballot.</summary>
    public Ballot BaseBallot { get; init; }

    /// <summary>The marks there; at an epoch's beginning, that epoch's.</summary>
    public GroupMarks BaseMarks { get; init; }

    /// <summary>The entries behind it, without those that others replaced.</summary>
    public IReadOnlyList<GroupEntry> Log { get; init; } = [];

    /// <summary>An index up to which entries are known to be applied; 0 if none is known.</summary>
    public ulong Applied { get; init; }
}
