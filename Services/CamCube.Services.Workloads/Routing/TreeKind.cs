namespace CamCube.Services.Workloads.Routing;

/// <summary>What a packet of a multicast tree is.</summary>
internal enum TreeKind : byte
{
    /// <summary>A member joins.</summary>
    Join = 0,

    /// <summary>Something for all members.</summary>
    Data = 1,
}
