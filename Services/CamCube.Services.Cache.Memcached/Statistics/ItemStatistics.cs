using System.Globalization;

namespace CamCube.Services.Cache.Memcached.Statistics;

/// <summary>What <c>stats items</c> and <c>stats slabs</c> say of this server's store: memcached's names, its own size
/// classes. Pure.</summary>
internal static class ItemStatistics
{
    /// <summary>Lines of <c>stats items</c>: of the classes that have items, as in memcached.</summary>
    public static IEnumerable<CacheStatistic> OfItems(CacheStoreNumbers store)
    {
        foreach (CacheClassNumbers one in store.Classes.Where(one => one.Items > 0))
        {
            string prefix = $"items:{one.Number}:";
            yield return Line(prefix, "number", one.Items);
            yield return Line(prefix, "age", store.OldestSeconds);
            yield return Line(prefix, "mem_requested", one.MemoryRequested);
            yield return Line(prefix, "evicted", one.Evicted);
            yield return Line(prefix, "evicted_nonzero", one.EvictedNonzero);
            yield return Line(prefix, "evicted_time", one.EvictedSeconds);
            yield return Line(prefix, "outofmemory", one.OutOfMemory);
            yield return Line(prefix, "reclaimed", one.Reclaimed);
            yield return Line(prefix, "expired_unfetched", one.ExpiredUnfetched);
            yield return Line(prefix, "evicted_unfetched", one.EvictedUnfetched);
        }
    }

    /// <summary>Lines of <c>stats slabs</c>.</summary>
    public static IEnumerable<CacheStatistic> OfSlabs(CacheStoreNumbers store)
    {
        foreach (CacheClassNumbers one in store.Classes)
        {
            string prefix = $"{one.Number}:";
            yield return Line(prefix, "chunk_size", one.ChunkSize);
            yield return Line(prefix, "chunks_per_page", one.ChunksPerPage);
            yield return Line(prefix, "total_pages", one.TotalPages);
            yield return Line(prefix, "total_chunks", (long)one.UsedChunks + one.FreeChunks);
            yield return Line(prefix, "used_chunks", one.UsedChunks);
            yield return Line(prefix, "free_chunks", one.FreeChunks);
            yield return Line(prefix, "mem_requested", one.MemoryRequested);
            yield return Line(prefix, "get_hits", one.GetHits);
            yield return Line(prefix, "cmd_set", one.SetCommands);
            yield return Line(prefix, "delete_hits", one.DeleteHits);
            yield return Line(prefix, "incr_hits", one.IncrHits);
            yield return Line(prefix, "decr_hits", one.DecrHits);
            yield return Line(prefix, "cas_hits", one.CasHits);
            yield return Line(prefix, "cas_badval", one.CasBadval);
            yield return Line(prefix, "touch_hits", one.TouchHits);
        }

        yield return Line("", "active_slabs", store.Classes.Count);
        yield return Line("", "total_malloced", store.ResidentBytes);
    }

    private static CacheStatistic Line(string prefix, string name, long value) =>
        new(prefix + name, value.ToString(CultureInfo.InvariantCulture));
}
