namespace CamCube.Services.Tunnel;

/// <summary>Over which paths packets go to a server.</summary>
public enum TunnelPaths
{
    /// <summary>One: that of the first link of the fixed order.</summary>
    One = 0,

    /// <summary>Those that share no link and begin on a shortest way or on an axis that needs no step: three to five in
    /// a cube, one in a ring.</summary>
    Disjoint = 1,

    /// <summary>In rings and flat cubes also the other way round; in cubes as <see cref="Disjoint"/>.</summary>
    All = 2,
}
