namespace CamCube.Services.Cache.Store;

/// <summary>Tells how a store uses its memory. Loop only.</summary>
internal static class StoreReport
{
    private const int MostLooks = 65_536;

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
            LimitBytes = store.LimitBytes,
            IsEvicting = store.IsEvicting,
            PageBytes = store.Chunks.Sizes.PageBytes,
            ResidentBytes = store.ResidentBytes,
            FreePages = store.Chunks.Available,
            HashPowerLevel = store.IndexLevel,
            HashBytes = store.IndexBytes,
            Sizes = store.Ledger.Sizes?.Counts(),
            OldestSeconds = store.Oldest == 0 ? 0 : ItemFacts.IdleSeconds(store[store.Oldest], now),
        };
    }

    /// <summary>Keys of a size class, the last used first, of the items used last.</summary>
    public static IReadOnlyList<CacheListedItem> List(ItemStore store, uint now, int classNumber, int most)
    {
        var items = new List<CacheListedItem>();
        uint item = store.Newest;
        for (int i = 0; i < MostLooks && item != 0 && items.Count < most; i++, item = store[item].Older)
        {
            if (
                store.ClassOf(item) == classNumber
                && !store.IsEnded(item)
                && !ItemExpiry.IsOver(store[item].Expires, now)
            )
            {
                items.Add(new CacheListedItem(store.KeyOf(item).ToArray(), store[item].Length, store[item].Expires));
            }
        }

        return items;
    }

    private static CacheClassNumbers Of(ItemStore store, int number)
    {
        ref readonly Chunks.ClassPages pages = ref store.Chunks.PagesOf(number);
        ref ClassTally tally = ref store.Ledger.OfClass(number);
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
