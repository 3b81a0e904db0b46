namespace CamCube.Tool.Hosts;

/// <summary>The cache of one server, or summed over several.</summary>
/// <param name="Servers">Over how many.</param>
/// <param name="Items">Items they are roots of.</param>
/// <param name="Bytes">Bytes of these: headers, keys, values.</param>
/// <param name="LimitBytes">Bytes that items and tables may take.</param>
/// <param name="Hits">Reads that found something.</param>
/// <param name="Misses">Reads that did not.</param>
/// <param name="Evictions">Items that went for want of memory.</param>
/// <param name="Copies">Copies of other servers' items that may be served.</param>
/// <param name="CopyHits">Reads that a copy answered.</param>
/// <param name="MeanHops">Hops from a client's server to whoever had the answer, over all reads; null: there was
/// none.</param>
internal sealed record HostCache(
    int Servers,
    long Items,
    long Bytes,
    long LimitBytes,
    long Hits,
    long Misses,
    long Evictions,
    long Copies,
    long CopyHits,
    double? MeanHops
)
{
    private const int MostHops = 16;

    /// <summary>Of the sums of the cache's counters by name (docs/cache.md). More hops than 16 count as 16.</summary>
    public static HostCache Of(int servers, IReadOnlyDictionary<string, long> counters)
    {
        (double hops, long lookups) = (0, 0);
        for (int i = 0; i <= MostHops; i++)
        {
            long count = Count(i == MostHops ? "lookup_hops_16_up" : $"lookup_hops_{i}");
            (hops, lookups) = (hops + ((double)count * i), lookups + count);
        }

        return new HostCache(
            servers,
            Count("curr_items"),
            Count("bytes"),
            Count("limit_maxbytes"),
            Count("get_hits"),
            Count("get_misses"),
            Count("evictions"),
            Count("copies_held"),
            Count("copy_hits"),
            lookups == 0 ? null : Math.Round(hops / lookups, 3)
        );

        long Count(string name) => counters.GetValueOrDefault(name);
    }
}
