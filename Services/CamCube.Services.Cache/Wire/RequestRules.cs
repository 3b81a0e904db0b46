namespace CamCube.Services.Cache.Wire;

/// <summary>How operations travel (docs/cache.md, "At most once").</summary>
internal static class RequestRules
{
    /// <summary>What a read packet may ask for.</summary>
    public const CacheTermOptions ReadOptions =
        CacheTermOptions.KeepAge
        | CacheTermOptions.WithoutValue
        | CacheTermOptions.WinStale
        | CacheTermOptions.BinaryKey;

    /// <summary>Code of a change that makes nothing: what the key-value store has of the key is another, so no copy may
    /// be served any more.</summary>
    public const byte EndCopies = (byte)CacheOperation.Inspect + 1;

    /// <summary>In the options of a read packet: the key-value store has the value.</summary>
    public const uint Backed = 1 << 16;

    /// <summary>What a read may ask for that a copy answers as well as the item itself.</summary>
    public const CacheTermOptions PlainOptions = CacheTermOptions.BinaryKey;

    /// <summary>Whether a copy may answer it: it only wants value, flags and token.</summary>
    public static bool IsPlainRead(in CacheTerms terms) =>
        terms.Operation == CacheOperation.Get && (terms.Options & ~PlainOptions) == 0;

    /// <summary>
    /// Whether it may change what a copy shows: value, flags, token, expiry. Winning changes marks only, unless it
    /// makes an item.
    /// </summary>
    public static bool Changes(in CacheTerms terms) =>
        terms.Operation switch
        {
            CacheOperation.Inspect => false,
            CacheOperation.Get => (terms.Options & CacheTermOptions.Vivify) != 0,
            _ => true,
        };

    /// <summary>Whether it answers with what is there: a miss is never wrong.</summary>
    public static bool IsRead(CacheOperation operation) =>
        operation is CacheOperation.Get or CacheOperation.GetAndTouch or CacheOperation.Inspect;

    /// <summary>Whether it may be done at another root although an attempt before it may have been done, too.</summary>
    public static bool IsRepeatable(in CacheTerms terms, bool isTooLarge) =>
        isTooLarge
        || IsRead(terms.Operation)
        || (terms.Operation is CacheOperation.Set or CacheOperation.Touch && terms.Cas == 0);

    /// <summary>
    /// Whether it is addressed to one run of one root. A read that wins only if the item is stale comes as a read
    /// first: hardly any is.
    /// </summary>
    public static bool GoesAsChange(in CacheTerms terms) =>
        terms.Operation switch
        {
            CacheOperation.Inspect => false,
            CacheOperation.Get => (terms.Options & (CacheTermOptions.Vivify | CacheTermOptions.Recache)) != 0,
            _ => true,
        };
}
