using CamCube.Services.Cache.Counting;

namespace CamCube.Services.Cache.Asking;

/// <summary>Counts changes of keys that the key-value store keeps as the cache counts its own. Loop only.</summary>
internal static class BackedTally
{
    /// <summary>Counts a change by what came of it.</summary>
    public static void Count(CacheCounters counters, in CacheTerms terms, in CacheReply reply)
    {
        counters[CacheCount.BackedChanges].Add();
        bool isFailed = reply.Status is CacheStatus.StoreUnavailable or CacheStatus.TimedOut or CacheStatus.Unavailable;
        counters[CacheCount.BackedFailed].Add(isFailed ? 1 : 0);
        if (terms.Operation is CacheOperation.Touch or CacheOperation.GetAndTouch)
        {
            counters[CacheCount.CmdTouch].Add();
        }

        if (terms.Operation is >= CacheOperation.Set and <= CacheOperation.CompareAndSwap)
        {
            counters[CacheCount.CmdSet].Add();
        }

        if (KindOf(terms.Operation, reply.Status) is { } count)
        {
            counters[count].Add();
        }
    }

    private static CacheCount? KindOf(CacheOperation operation, CacheStatus status) =>
        (operation, status) switch
        {
            (CacheOperation.Delete, CacheStatus.Done) => CacheCount.DeleteHits,
            (CacheOperation.Delete, CacheStatus.NotFound) => CacheCount.DeleteMisses,
            (CacheOperation.Increment, CacheStatus.Done) => CacheCount.IncrHits,
            (CacheOperation.Increment, CacheStatus.NotFound) => CacheCount.IncrMisses,
            (CacheOperation.Decrement, CacheStatus.Done) => CacheCount.DecrHits,
            (CacheOperation.Decrement, CacheStatus.NotFound) => CacheCount.DecrMisses,
            (CacheOperation.CompareAndSwap, CacheStatus.Done) => CacheCount.CasHits,
            (CacheOperation.CompareAndSwap, CacheStatus.NotFound) => CacheCount.CasMisses,
            (CacheOperation.CompareAndSwap, CacheStatus.Exists) => CacheCount.CasBadval,
            (CacheOperation.Touch or CacheOperation.GetAndTouch, CacheStatus.Done) => CacheCount.TouchHits,
            (CacheOperation.Touch or CacheOperation.GetAndTouch, CacheStatus.NotFound) => CacheCount.TouchMisses,
            _ => null,
        };
}
