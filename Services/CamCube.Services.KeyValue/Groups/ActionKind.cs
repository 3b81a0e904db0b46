namespace CamCube.Services.KeyValue.Groups;

/// <summary>What is to be done after a step.</summary>
internal enum ActionKind : byte
{
    /// <summary>Send a message. It may go at once.</summary>
    Send,

    /// <summary>Write the ballot promised and the vote in it.</summary>
    WritePromise,

    /// <summary>Write the entries from <see cref="GroupAction.Index"/> to the end of the log; what was written there
    /// before stays until these are durable.</summary>
    WriteEntries,

    /// <summary>Write the epoch that is entered, its first index and the promise in it.</summary>
    WriteEpoch,

    /// <summary>Write the birth taken part in (or none any more) and the births refused.</summary>
    WriteBirth,

    /// <summary>Write the recovery that is agreed to, and whether it is decided.</summary>
    WriteRecovery,

    /// <summary>Write that all up to <see cref="GroupAction.Index"/> is applied, and that the log begins
    /// there.</summary>
    WriteJump,

    /// <summary>Make all that was written durable, then say so with <see cref="GroupAction.Sync"/>.</summary>
    Sync,

    /// <summary>Entries up to <see cref="GroupAction.Index"/> are committed.</summary>
    Commit,

    /// <summary>Entries up to <see cref="GroupAction.Index"/> are applied: make them visible, answer who asked for
    /// them.</summary>
    Apply,

    /// <summary>This member leads; pending requests begin after <see cref="GroupAction.Index"/>.</summary>
    Lead,

    /// <summary>This member leads no more: requests that are not applied have no known end here.</summary>
    Resign,

    /// <summary>A proposal was appended, at <see cref="GroupAction.Index"/>.</summary>
    Appended,

    /// <summary>A proposal or read cannot be taken here now.</summary>
    Decline,

    /// <summary>A read is answered with what is applied now, <see cref="GroupAction.Index"/>, once its round is
    /// confirmed.</summary>
    ReadNoted,

    /// <summary>Reads up to <see cref="GroupAction.Index"/>, a round, may be answered.</summary>
    ReadConfirmed,

    /// <summary>For the time that the group's mode says, from now, nobody else than the leader is voted for;
    /// <see cref="EventKind.HoldOver"/> when that is over.</summary>
    Hold,

    /// <summary>Fetch the state at the beginning of an epoch from who has it; it replaces everything here behind what
    /// is applied. <see cref="EventKind.Installed"/> when it is written.</summary>
    Fetch,

    /// <summary>Send a member the state, for the log here no longer goes back to what it has.</summary>
    CatchUp,

    /// <summary>The data of this group may go.</summary>
    Drop,

    /// <summary>All of this group goes, of which a majority is gone: the store is blank for it again.</summary>
    Forget,
}
