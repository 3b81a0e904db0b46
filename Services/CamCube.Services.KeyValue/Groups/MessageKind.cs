namespace CamCube.Services.KeyValue.Groups;

/// <summary>What a message of a group says.</summary>
internal enum MessageKind : byte
{
    /// <summary>Would you vote for me? Changes nothing.</summary>
    PreVote,

    /// <summary>I would.</summary>
    PreVoted,

    /// <summary>Vote for me: my log ends at <see cref="GroupMessage.Index"/>. <see cref="GroupMessage.Round"/> is the
    /// term of the leader who offered its place; 0: nobody did.</summary>
    RequestVote,

    /// <summary>I vote for you, and have it synced.</summary>
    Vote,

    /// <summary>Entries after <see cref="GroupMessage.Index"/>; none in a beat.</summary>
    Append,

    /// <summary>I have your log up to <see cref="GroupMessage.Index"/> synced.</summary>
    Accepted,

    /// <summary>What you appended does not follow on what I have; begin after
    /// <see cref="GroupMessage.Index"/>.</summary>
    Behind,

    /// <summary>Are you with me? For reads. <see cref="GroupMessage.Index"/> is 1 if nobody else is to be voted for
    /// for a time.</summary>
    Confirm,

    /// <summary>I am: in round <see cref="GroupMessage.Round"/> I had promised nothing later.</summary>
    Confirmed,

    /// <summary>I have promised a later ballot than yours, or know no epoch as late as yours.</summary>
    Refused,

    /// <summary>Stand now: you have all that I have.</summary>
    HandOver,

    /// <summary>This epoch has begun: the Next that made it, at <see cref="GroupMessage.Index"/>, is
    /// committed.</summary>
    StartEpoch,

    /// <summary>All members of this epoch are whole: who left may drop its data.</summary>
    EpochStarted,

    /// <summary>Is your store blank for this group?</summary>
    AskBlank,

    /// <summary>It is; <see cref="GroupMessage.Index"/> is 1 if it is a store of the first start.</summary>
    IsBlank,

    /// <summary>It is not.</summary>
    IsKnown,

    /// <summary>Be a member of this first epoch.</summary>
    Birth,

    /// <summary>I am, and have it synced.</summary>
    BirthAccepted,

    /// <summary>I never was a member of this birth, and have synced that I never shall be.</summary>
    BirthRefused,

    /// <summary>Agree to this recovery. From who has it proposed to its base, and from the base to all others who are
    /// asked; <see cref="GroupMessage.Round"/> says who has agreed, one bit each.</summary>
    Recover,

    /// <summary>I do, and have it synced.</summary>
    RecoverAccepted,

    /// <summary>Of a group in memory: the store that you spoke to is over, and nothing of your generation is known to
    /// this one; or, if <see cref="GroupMessage.Index"/> is 1, this one never acts in it. <see
    /// cref="GroupMessage.Ballot"/> is the one that you spoke in.</summary>
    Gone,
}
