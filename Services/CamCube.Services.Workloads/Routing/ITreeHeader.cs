namespace CamCube.Services.Workloads.Routing;

/// <summary>A header that names a multicast tree. Shared so that both ways of mini-cube routing make the same
/// packets.</summary>
internal interface ITreeHeader
{
    /// <summary>Route of the tree's key.</summary>
    ulong Tree { get; set; }

    /// <summary>What the packet is for.</summary>
    TreeKind Kind { get; set; }
}
