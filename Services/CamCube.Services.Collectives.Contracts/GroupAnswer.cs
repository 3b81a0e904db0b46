namespace CamCube.Services.Collectives;

/// <summary>What came of opening a group.</summary>
/// <param name="Status">Whether it was opened.</param>
/// <param name="Group">The group; whoever opened it closes it. Null if there is none.</param>
/// <param name="Words">Why not, in one line; null if it was opened.</param>
public readonly record struct GroupAnswer(GroupStatus Status, IGroup? Group, string? Words);
