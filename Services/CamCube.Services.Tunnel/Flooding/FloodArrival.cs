namespace CamCube.Services.Tunnel.Flooding;

/// <summary>What a frame for all is that came.</summary>
internal enum FloodArrival
{
    /// <summary>One that had not come before.</summary>
    New = 0,

    /// <summary>One that had, or may have long ago.</summary>
    Repeated = 1,

    /// <summary>One of an earlier run of its sender.</summary>
    Stale = 2,

    /// <summary>One more than its sender may send.</summary>
    TooMany = 3,
}
