using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Members;

/// <summary>What one group adds to the sums that are kept for other servers.</summary>
/// <param name="Epoch">Its members; null: nothing is added.</param>
/// <param name="Leader">The position of the leader.</param>
/// <param name="Self">This member's.</param>
/// <param name="Ballot">What is added for its ballot.</param>
/// <param name="Applied">What is added for how far it is applied.</param>
internal readonly record struct GroupShare(GroupEpoch? Epoch, int Leader, int Self, ulong Ballot, ulong Applied);
