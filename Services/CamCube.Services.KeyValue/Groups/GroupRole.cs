namespace CamCube.Services.KeyValue.Groups;

/// <summary>What a member does in its group.</summary>
internal enum GroupRole : byte
{
    /// <summary>Knows no epoch: blank, or its birth is not over.</summary>
    Unborn,

    /// <summary>Follows a leader, or waits for one.</summary>
    Follower,

    /// <summary>Asks whether it should stand.</summary>
    PreCandidate,

    /// <summary>Stands.</summary>
    Candidate,

    /// <summary>Leads.</summary>
    Leader,

    /// <summary>Was a member; the epoch it knows is another's.</summary>
    Ended,

    /// <summary>Agreed to a recovery: it does nothing in the generation before it.</summary>
    Sealed,
}
