namespace CamCube.Services.Cache.Store;

/// <summary>Tells how a store uses its memory. Loop only.</summary>
internal static class StoreReport
{
    /// <summary>The numbers as they are now.</summary>
    public static CacheStoreNumbers Of(ItemStore store, uint now)
    {
        var classes = new List<CacheClassNumbers>();
        for (int number = 1; number < store.Chunks.Sizes.Count; number++)
        {
            if (store.Chunks.PagesOf(number).Pages > 0)
            {
                classes.Add(Of(store, number));
            }
        }

        return new CacheStoreNumbers
        {
            Classes = classes,
            PageBytes = store.Chunks.Sizes.PageBytes,
            ResidentBytes = store.ResidentBytes,
            FreePages = store.Chunks.Available,
            HashPowerLevel = store.IndexLevel,
            HashBytes = store.IndexBytes,
            OldestSeconds = store.Oldest == 0 ? 0 : ItemFacts.IdleSeconds(store[store.Oldest], now),
        };
    }

    private static CacheClassNumbers Of(ItemStore store, int number)
    {
        ref readonly Chunks.ClassPages pages = ref store.Chunks.PagesOf(number);
        ref ClassTally tally = ref store.TallyOfClass(number);
        return new CacheClassNumbers
        {
            Number = number,
            ChunkSize = pages.Bytes,
            ChunksPerPage = pages.PerPage,
            TotalPages = pages.Pages,
            UsedChunks = pages.Used,
            FreeChunks = store.Chunks.FreeOf(number),
            GetHits = tally.GetHits,
            SetCommands = tally.SetCommands,
            DeleteHits = tally.DeleteHits,
            IncrHits = tally.IncrHits,
            DecrHits = tally.DecrHits,
            CasHits = tally.CasHits,
            CasBadval = tally.CasBadval,
            TouchHits = tally.TouchHits,
            Items = tally.Items,
            MemoryRequested = tally.Requested,
            Evicted = tally.Evicted,
            EvictedNonzero = tally.EvictedNonzero,
            EvictedSeconds = tally.EvictedSeconds,
            EvictedUnfetched = tally.EvictedUnfetched,
            ExpiredUnfetched = tally.ExpiredUnfetched,
            Reclaimed = tally.Reclaimed,
            OutOfMemory = tally.OutOfMemory,
        };
    }
}
