namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// A point in what a member wrote, told by what it had written last of each kind. When all up to it is durable, its
/// owner says so (<see cref="EventKind.Synced"/>); what was written anew since then is not taken for durable.
/// </summary>
/// <param name="Ballot">The ballot promised.</param>
/// <param name="Voted">The position of who was voted for; -1 for nobody.</param>
/// <param name="Index">The end of the log.</param>
/// <param name="IndexBallot">The ballot of the entry there.</param>
/// <param name="Birth">The birth taken part in.</param>
/// <param name="Refusals">How many births were refused.</param>
/// <param name="Recovery">The recovery agreed to.</param>
/// <param name="IsDecided">Whether it is known that all have agreed.</param>
internal readonly record struct GroupSync(
    Ballot Ballot,
    int Voted,
    ulong Index,
    Ballot IndexBallot,
    GroupEpoch? Birth,
    int Refusals,
    GroupRecovery? Recovery,
    bool IsDecided
);
