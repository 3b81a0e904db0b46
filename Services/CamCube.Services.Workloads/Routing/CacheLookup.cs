using System.Runtime.InteropServices;

namespace CamCube.Services.Workloads.Routing;

/// <summary>A lookup and its answer: header of <see cref="CacheRoutingNativeService"/>.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 2)]
internal struct CacheLookup
{
    /// <summary>The key whose root did not have it, and is to get it; 0 = none.</summary>
    public ulong Holder;
    public int Item;

    /// <summary>Steps from one key to another on one server: the hop limit counts them, a cable does not see
    /// them.</summary>
    public ushort LocalSteps;
    public bool IsAnswer;
}
