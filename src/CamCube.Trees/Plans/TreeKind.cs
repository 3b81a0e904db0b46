namespace CamCube.Trees;

/// <summary>Which trees a job uses.</summary>
public enum TreeKind : byte
{
    /// <summary>As many as a server has links, six in a cube, with no link in common (NSDI §4.1).</summary>
    Six = 0,

    /// <summary>One, of shortest paths, axis after axis (NSDI §5.2): shorter than the six, and on one link of
    /// six.</summary>
    One = 1,

    /// <summary>One, of shortest paths that meet early (SIGCOMM §3.2): fewest links where there are few
    /// members.</summary>
    MiniCube = 2,

    /// <summary>One, of shortest paths, that looks the same from every root and prefers no direction: those of all
    /// servers load all links alike.</summary>
    Even = 3,
}
