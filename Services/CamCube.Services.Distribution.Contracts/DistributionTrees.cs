namespace CamCube.Services.Distribution;

/// <summary>Which trees a file goes along.</summary>
public enum DistributionTrees : byte
{
    /// <summary>As many as a server has links, with no link in common: six in a cube. Fastest.</summary>
    Six = 0,

    /// <summary>One, of shortest ways: it leaves most links of the cube to others.</summary>
    One = 1,

    /// <summary>One, of shortest ways that meet early: fewest links where there are few members.</summary>
    MiniCube = 2,
}
