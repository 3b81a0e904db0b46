namespace CamCube.Services.Cache.Counting;

/// <summary>What a server of the cache counts. The order is that of statistics packets: append only.</summary>
internal enum CacheCount
{
    /// <summary>Reads; those that touch count as touches, as in memcached.</summary>
    CmdGet,

    /// <summary>Commands that store.</summary>
    CmdSet,

    /// <summary>flush_all, counted where the client asked.</summary>
    CmdFlush,

    /// <summary>Commands that set an expiry, whether or not they read.</summary>
    CmdTouch,

    /// <summary>Reads that found something.</summary>
    GetHits,

    /// <summary>Reads that did not.</summary>
    GetMisses,

    /// <summary>Reads that found an expired item.</summary>
    GetExpired,

    /// <summary>Deletes of nothing.</summary>
    DeleteMisses,

    /// <summary>Deletes.</summary>
    DeleteHits,

    /// <summary>incr of nothing.</summary>
    IncrMisses,

    /// <summary>incr.</summary>
    IncrHits,

    /// <summary>decr of nothing.</summary>
    DecrMisses,

    /// <summary>decr.</summary>
    DecrHits,

    /// <summary>cas of nothing.</summary>
    CasMisses,

    /// <summary>cas that stored.</summary>
    CasHits,

    /// <summary>cas of an item that had changed.</summary>
    CasBadval,

    /// <summary>touch that found something.</summary>
    TouchHits,

    /// <summary>touch of nothing.</summary>
    TouchMisses,

    /// <summary>Items ever stored.</summary>
    TotalItems,

    /// <summary>Expired items that nobody had read.</summary>
    ExpiredUnfetched,

    /// <summary>Evicted items that nobody had read.</summary>
    EvictedUnfetched,

    /// <summary>Items that had to go for want of memory.</summary>
    Evictions,

    /// <summary>Expired items whose memory was given back.</summary>
    Reclaimed,

    /// <summary>Items dropped by flush_all, or because this server's keys changed.</summary>
    ItemsDropped,

    /// <summary>Attempts beyond the first, counted where the client asked.</summary>
    Retries,

    /// <summary>Answers that were repeated instead of doing a change twice.</summary>
    RepeatedAnswers,

    /// <summary>Requests that the root refused and the asking server tried again or gave up.</summary>
    Refusals,

    /// <summary>Items now. A level.</summary>
    CurrItems,

    /// <summary>Bytes of items now. A level.</summary>
    Bytes,

    /// <summary>Bytes allowed. A level.</summary>
    LimitMaxbytes,

    /// <summary>Threads: one per server. A level.</summary>
    Threads,

    /// <summary>Inspections: memcached's meta debug command.</summary>
    CmdMeta,

    /// <summary>Values that were refused because they are larger than the largest item, counted where the client
    /// asked.</summary>
    StoreTooLarge,

    /// <summary>Values for which there was no memory.</summary>
    StoreNoMemory,

    /// <summary>Reads that found an item dropped by flush_all, or of keys that changed hands.</summary>
    GetFlushed,

    /// <summary>Copies of other roots' items that may be served, or could until a moment ago. A level.</summary>
    CopiesHeld,

    /// <summary>Reads that a copy answered.</summary>
    CopyHits,

    /// <summary>Copies that were ended before their lease was.</summary>
    CopiesFlushed,

    /// <summary>Times that changes of an item had to wait for its copies to end.</summary>
    ChangesWaited,

    /// <summary>Reads of this server's clients that were answered here. Those with more hops follow, one by
    /// one.</summary>
    LookupHops0,

    /// <summary>Reads of this server's clients whose answer was this many hops away, or more.</summary>
    LookupHopsMost = LookupHops0 + 16,

    /// <summary>Leases of copies that were given anew without the value.</summary>
    CopiesRenewed,

    /// <summary>Messages of other servers that were dropped because they cannot be right.</summary>
    Malformed,

    /// <summary>Reads of keys with a Backed prefix that this server asked the key-value store for.</summary>
    BackedReads,

    /// <summary>Reads of them whose value was not in the store's memory but in this cache's.</summary>
    BackedHits,

    /// <summary>Changes of them that this server asked the key-value store for.</summary>
    BackedChanges,

    /// <summary>Reads and changes of them that the key-value store could not do, or nobody knows.</summary>
    BackedFailed,

    /// <summary>Changes of them that were done, and whose answer waited until leases of copies were over, because
    /// nobody could be told to end them.</summary>
    BackedLate,
}
