using System.Runtime.InteropServices;

namespace CamCube.Services.Workloads.Routing;

/// <summary>Header of <see cref="MiniCubeService"/>.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 2)]
internal struct MiniCubeHeader : ITreeHeader
{
    public ExtendedHeader Extended;
    public ulong Tree { get; set; }
    public TreeKind Kind { get; set; }
}
