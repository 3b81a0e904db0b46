namespace CamCube.Services.Collectives;

/// <summary>Whether a group was opened.</summary>
public enum GroupStatus
{
    /// <summary>It was.</summary>
    Opened = 0,

    /// <summary>The name is no name, or a group that is open here has it.</summary>
    BadName = 1,

    /// <summary>A member is not in the cube, or twice, or this server is none of them.</summary>
    BadMember = 2,

    /// <summary>As many groups as may be are open here, or a weight that cannot be.</summary>
    Busy = 3,
}
