using CamCube.Tool.Hosts;

namespace CamCube.Tool.Output;

/// <summary>The cache of a cube in one line.</summary>
internal static class CacheText
{
    /// <summary>Items, memory, hits, evictions, hops and copies.</summary>
    public static string Of(HostCache cache)
    {
        long reads = cache.Hits + cache.Misses;
        string hits =
            reads == 0
                ? "no reads"
                : $"{Report.Count(reads)} reads ({Report.Decimal(100.0 * cache.Hits / reads, 1)} % hits)";
        string hops = cache.MeanHops is { } mean ? $", {Report.Decimal(mean, 2)} hops per read" : "";
        return $"cache: {Report.Count(cache.Items)} items, {Report.Bytes(cache.Bytes)} of "
            + $"{Report.Bytes(cache.LimitBytes)}, {hits}, "
            + $"{Report.Count(cache.Evictions)} evictions{hops}, {Report.Count(cache.Copies)} copies";
    }
}
