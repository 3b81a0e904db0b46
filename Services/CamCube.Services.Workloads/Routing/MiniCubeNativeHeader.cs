using System.Runtime.InteropServices;

namespace CamCube.Services.Workloads.Routing;

/// <summary>Header of <see cref="MiniCubeNativeService"/>.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 2)]
internal struct MiniCubeNativeHeader : ITreeHeader
{
    public ulong Tree { get; set; }
    public TreeKind Kind { get; set; }
}
