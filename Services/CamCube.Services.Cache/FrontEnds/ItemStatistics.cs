namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// What <c>stats items</c> and <c>stats slabs</c> say. memcached counts by slab class; here all items are of one, number 1,
/// so the counts are those of <c>stats</c> under the names that tools look for.
/// </summary>
internal static class ItemStatistics
{
    private static readonly (string Name, string Of)[] Items =
    [
        ("number", "curr_items"),
        ("mem_requested", "bytes"),
        ("evicted", "evictions"),
        ("outofmemory", "store_no_memory"),
        ("reclaimed", "reclaimed"),
        ("expired_unfetched", "expired_unfetched"),
        ("evicted_unfetched", "evicted_unfetched"),
    ];

    private static readonly (string Name, string Of)[] Slabs =
    [
        ("used_chunks", "curr_items"),
        ("mem_requested", "bytes"),
        ("get_hits", "get_hits"),
        ("cmd_set", "cmd_set"),
        ("delete_hits", "delete_hits"),
        ("incr_hits", "incr_hits"),
        ("decr_hits", "decr_hits"),
        ("cas_hits", "cas_hits"),
        ("cas_badval", "cas_badval"),
        ("touch_hits", "touch_hits"),
    ];

    /// <summary>Lines of <c>stats items</c>; none while there are no items, as in memcached.</summary>
    internal static IEnumerable<CacheStatistic> OfItems(IReadOnlyList<CacheStatistic> all) =>
        HasItems(all) ? Rename(all, Items, "items:1:") : [];

    /// <summary>Lines of <c>stats slabs</c>.</summary>
    internal static IEnumerable<CacheStatistic> OfSlabs(IReadOnlyList<CacheStatistic> all)
    {
        bool hasItems = HasItems(all);
        IEnumerable<CacheStatistic> lines = hasItems ? Rename(all, Slabs, "1:") : [];
        return lines
            .Append(new CacheStatistic("active_slabs", hasItems ? "1" : "0"))
            .Append(new CacheStatistic("total_malloced", Find(all, "bytes") ?? "0"));
    }

    private static bool HasItems(IReadOnlyList<CacheStatistic> all) => Find(all, "curr_items") is not (null or "0");

    private static IEnumerable<CacheStatistic> Rename(
        IReadOnlyList<CacheStatistic> all, (string Name, string Of)[] names, string prefix)
    {
        foreach ((string name, string of) in names)
        {
            if (Find(all, of) is { } value)
                yield return new CacheStatistic(prefix + name, value);
        }
    }

    private static string? Find(IReadOnlyList<CacheStatistic> all, string name)
    {
        foreach (CacheStatistic line in all)
        {
            if (line.Name == name)
                return line.Value;
        }

        return null;
    }
}
