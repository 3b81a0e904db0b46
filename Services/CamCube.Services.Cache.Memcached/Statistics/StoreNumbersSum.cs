namespace CamCube.Services.Cache.Memcached.Statistics;

/// <summary>The stores of several parts of one cache, told as one. Pure.</summary>
internal static class StoreNumbersSum
{
    /// <summary>The sum. Parts have the same limit, and so the same size classes.</summary>
    public static CacheStoreNumbers Of(IReadOnlyList<CacheStoreNumbers> parts)
    {
        if (parts.Count == 1)
        {
            return parts[0];
        }

        return parts[0] with
        {
            Classes =
            [
                .. parts
                    .SelectMany(part => part.Classes)
                    .GroupBy(one => one.Number)
                    .OrderBy(group => group.Key)
                    .Select(group => group.Aggregate(Add)),
            ],
            ResidentBytes = parts.Sum(part => part.ResidentBytes),
            LimitBytes = parts.Sum(part => part.LimitBytes),
            FreePages = parts.Sum(part => part.FreePages),
            HashBytes = parts.Sum(part => part.HashBytes),
            Sizes = parts.All(part => part.Sizes is not null)
                ?
                [
                    .. parts
                        .SelectMany(part => part.Sizes!)
                        .GroupBy(size => size.Bytes)
                        .OrderBy(group => group.Key)
                        .Select(group => new CacheSizeCount(group.Key, group.Sum(size => size.Items))),
                ]
                : null,
            OldestSeconds = parts.Max(part => part.OldestSeconds),
        };
    }

    private static CacheClassNumbers Add(CacheClassNumbers one, CacheClassNumbers other) =>
        one with
        {
            TotalPages = one.TotalPages + other.TotalPages,
            UsedChunks = one.UsedChunks + other.UsedChunks,
            FreeChunks = one.FreeChunks + other.FreeChunks,
            GetHits = one.GetHits + other.GetHits,
            SetCommands = one.SetCommands + other.SetCommands,
            DeleteHits = one.DeleteHits + other.DeleteHits,
            IncrHits = one.IncrHits + other.IncrHits,
            DecrHits = one.DecrHits + other.DecrHits,
            CasHits = one.CasHits + other.CasHits,
            CasBadval = one.CasBadval + other.CasBadval,
            TouchHits = one.TouchHits + other.TouchHits,
            Items = one.Items + other.Items,
            MemoryRequested = one.MemoryRequested + other.MemoryRequested,
            Evicted = one.Evicted + other.Evicted,
            EvictedNonzero = one.EvictedNonzero + other.EvictedNonzero,
            EvictedSeconds = Math.Max(one.EvictedSeconds, other.EvictedSeconds),
            EvictedUnfetched = one.EvictedUnfetched + other.EvictedUnfetched,
            ExpiredUnfetched = one.ExpiredUnfetched + other.ExpiredUnfetched,
            Reclaimed = one.Reclaimed + other.Reclaimed,
            OutOfMemory = one.OutOfMemory + other.OutOfMemory,
        };
}
