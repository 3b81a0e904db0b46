namespace CamCube.Services.KeyValue.Groups;

/// <summary>An entry of a group's log, as far as the protocol looks at it.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Ballot">The ballot of the leader that wrote it there.</param>
/// <param name="Data">For an operation, whatever its proposer finds it by; for marks, a member's position.</param>
/// <param name="Epoch">For <see cref="EntryKind.Next"/>, the next epoch.</param>
internal readonly record struct GroupEntry(EntryKind Kind, Ballot Ballot, ulong Data, GroupEpoch? Epoch = null);
