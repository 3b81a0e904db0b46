namespace CamCube.Services.Camdoop;

/// <summary>The trees that pairs go along to a reduce.</summary>
public enum JobTrees : byte
{
    /// <summary>As many as a server has cables, no two with a link in common.</summary>
    Six = 0,

    /// <summary>One, shortest ways.</summary>
    One = 1,

    /// <summary>None: the reduce asks each map task for its part, as through a switch.</summary>
    None = 2,
}
