namespace CamCube.Swarm.Trees;

/// <summary>A planted mistake of the jobs of a run.</summary>
public enum TreeMistake
{
    /// <summary>None.</summary>
    None,

    /// <summary>A vertex goes on at its position, and not behind it.</summary>
    ResumesAt,

    /// <summary>Records of one key come in the order in which they arrived.</summary>
    AnyOrder,
}
