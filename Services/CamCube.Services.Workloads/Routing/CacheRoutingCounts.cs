namespace CamCube.Services.Workloads.Routing;

/// <summary>What one server of a cache did.</summary>
public sealed class CacheRoutingCounts
{
    /// <summary>Lookups served here as the root of their item, per item.</summary>
    public Dictionary<int, long> ServedAsRoot { get; } = [];

    /// <summary>Lookups served here, in either way.</summary>
    public long Served { get; internal set; }

    /// <summary>Hops over cables that those had made.</summary>
    public long ServedHops { get; internal set; }

    /// <summary>Lookups sent from here that were answered.</summary>
    public long Answered { get; internal set; }

    internal void Serve(int item, bool asRoot, int hops)
    {
        Served++;
        ServedHops += hops;
        if (asRoot)
        {
            ServedAsRoot[item] = ServedAsRoot.GetValueOrDefault(item) + 1;
        }
    }
}
