namespace CamCube.Services.Collectives;

/// <summary>
/// Operations of many servers on vectors, along all trees of the cube at once, added up on the way (NSDI §4,
/// docs/collectives.md). Loop only.
/// </summary>
public interface ICollectives
{
    /// <summary>Opens a group at this server. Each member does; who is first waits for the others in its first
    /// operation.</summary>
    GroupAnswer Open(GroupRequest request);

    /// <summary>The groups that are open here, in the order of their names.</summary>
    IReadOnlyList<GroupState> List();
}
