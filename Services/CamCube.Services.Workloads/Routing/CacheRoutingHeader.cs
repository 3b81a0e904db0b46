using System.Runtime.InteropServices;

namespace CamCube.Services.Workloads.Routing;

/// <summary>Header of <see cref="CacheRoutingService"/>.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 2)]
internal struct CacheRoutingHeader
{
    public ExtendedHeader Extended;
    public CacheLookup Lookup;
}
