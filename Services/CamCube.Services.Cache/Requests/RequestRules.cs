namespace CamCube.Services.Cache.Requests;

/// <summary>How operations travel (docs/cache.md, "At most once").</summary>
internal static class RequestRules
{
    /// <summary>What a read packet may ask for.</summary>
    public const CacheTermOptions ReadOptions =
        CacheTermOptions.KeepAge | CacheTermOptions.WithoutValue | CacheTermOptions.WinStale | CacheTermOptions.BinaryKey;

    /// <summary>Whether it answers with what is there: a miss is never wrong.</summary>
    public static bool IsRead(CacheOperation operation) =>
        operation is CacheOperation.Get or CacheOperation.GetAndTouch or CacheOperation.Inspect;

    /// <summary>Whether it may be done at another root although an attempt before it may have been done, too.</summary>
    public static bool IsRepeatable(in CacheTerms terms, bool isTooLarge) =>
        isTooLarge || IsRead(terms.Operation) ||
        (terms.Operation is CacheOperation.Set or CacheOperation.Touch && terms.Cas == 0);

    /// <summary>
    /// Whether it is addressed to one run of one root. A read that wins only if the item is stale comes as a read first: hardly any is.
    /// </summary>
    public static bool GoesAsChange(in CacheTerms terms) => terms.Operation switch
    {
        CacheOperation.Inspect => false,
        CacheOperation.Get => (terms.Options & (CacheTermOptions.Vivify | CacheTermOptions.Recache)) != 0,
        _ => true,
    };
}
