namespace CamCube.Services.Workloads.Routing;

/// <summary>Lookups of cached items by some routing (SIGCOMM §3.3). The items have no values: only the ways count. Loop
/// only.</summary>
public interface ICacheRouting
{
    /// <summary>What happened here.</summary>
    CacheRoutingCounts Counts { get; }

    /// <summary>Looks an item up from here.</summary>
    void Lookup(int item);
}
