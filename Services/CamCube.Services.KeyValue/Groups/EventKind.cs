namespace CamCube.Services.KeyValue.Groups;

/// <summary>What happened to a member of a group.</summary>
internal enum EventKind : byte
{
    /// <summary>No leader was heard for this member's time: it asks whether it should stand.</summary>
    ElectionDue,

    /// <summary>The leader is not heard any more: others that stand may be told so.</summary>
    LeaderSilent,

    /// <summary>Stand without asking before.</summary>
    StandDue,

    /// <summary>A leader's time to repeat what others have not acknowledged.</summary>
    BeatDue,

    /// <summary>A message came.</summary>
    Received,

    /// <summary>What was written up to a sync point is durable.</summary>
    Synced,

    /// <summary>Append an operation.</summary>
    Propose,

    /// <summary>Append an entry that marks a member: <see cref="GroupEvent.Mark"/>.</summary>
    ProposeMark,

    /// <summary>End this epoch by other members.</summary>
    ProposeNext,

    /// <summary>A read came: note what is applied, and ask a majority.</summary>
    ReadDue,

    /// <summary>The time of <see cref="ActionKind.Hold"/>, of the last one, is over; after a start, the same time from
    /// then.</summary>
    HoldOver,

    /// <summary>Make another member leader, if it has all that this one has.</summary>
    HandOverDue,

    /// <summary>The state at the beginning of an epoch is here, written (asked for by
    /// <see cref="ActionKind.Fetch"/>).</summary>
    Installed,

    /// <summary>The state at an index of this epoch was sent, with all before it: entries here that lead elsewhere
    /// never were.</summary>
    Jump,

    /// <summary>Entries up to an index are held elsewhere: forget them.</summary>
    Trim,

    /// <summary>Try to begin the group with the planned members.</summary>
    BirthDue,

    /// <summary>Tell the other members again what this one knows of its birth.</summary>
    BirthRepeatDue,

    /// <summary>Ask whether the data of a group that this store left may go.</summary>
    LeaveDue,

    /// <summary>Refuse a birth that does not come to an end.</summary>
    RefuseBirthDue,

    /// <summary>Ask again those who have not agreed to a recovery.</summary>
    RecoverRepeatDue,
}
