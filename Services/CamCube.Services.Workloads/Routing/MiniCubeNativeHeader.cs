using System.Runtime.InteropServices;

namespace CamCube.Services.Workloads.Routing;

/// <summary>Header of <see cref="MiniCubeNativeService"/>.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 2)]
internal struct MiniCubeNativeHeader
{
    public ulong Tree;
    public TreeKind Kind;
}
