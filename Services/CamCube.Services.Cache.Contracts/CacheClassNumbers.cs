namespace CamCube.Services.Cache;

/// <summary>
/// One size class of a server's store: what memcached tells of it in <c>stats slabs</c> and <c>stats items</c>, by the
/// names that clients know. Items count for the class of their first chunk.
/// </summary>
public readonly record struct CacheClassNumbers
{
    /// <summary>Number of the class, from 1.</summary>
    public required int Number { get; init; }

    /// <summary><c>chunk_size</c>: bytes.</summary>
    public required int ChunkSize { get; init; }

    /// <summary><c>chunks_per_page</c>.</summary>
    public required int ChunksPerPage { get; init; }

    /// <summary><c>total_pages</c>.</summary>
    public required int TotalPages { get; init; }

    /// <summary><c>used_chunks</c>.</summary>
    public required int UsedChunks { get; init; }

    /// <summary><c>free_chunks</c>; <c>total_chunks</c> is both together.</summary>
    public required int FreeChunks { get; init; }

    /// <summary><c>get_hits</c>.</summary>
    public required long GetHits { get; init; }

    /// <summary><c>cmd_set</c>.</summary>
    public required long SetCommands { get; init; }

    /// <summary><c>delete_hits</c>.</summary>
    public required long DeleteHits { get; init; }

    /// <summary><c>incr_hits</c>.</summary>
    public required long IncrHits { get; init; }

    /// <summary><c>decr_hits</c>.</summary>
    public required long DecrHits { get; init; }

    /// <summary><c>cas_hits</c>.</summary>
    public required long CasHits { get; init; }

    /// <summary><c>cas_badval</c>.</summary>
    public required long CasBadval { get; init; }

    /// <summary><c>touch_hits</c>.</summary>
    public required long TouchHits { get; init; }

    /// <summary><c>number</c> of items.</summary>
    public required long Items { get; init; }

    /// <summary><c>mem_requested</c>: bytes of headers, keys and values.</summary>
    public required long MemoryRequested { get; init; }

    /// <summary><c>evicted</c>.</summary>
    public required long Evicted { get; init; }

    /// <summary><c>evicted_nonzero</c>: of these, those with an expiry.</summary>
    public required long EvictedNonzero { get; init; }

    /// <summary><c>evicted_time</c>: seconds since the item that went last had been used.</summary>
    public required uint EvictedSeconds { get; init; }

    /// <summary><c>evicted_unfetched</c>.</summary>
    public required long EvictedUnfetched { get; init; }

    /// <summary><c>expired_unfetched</c>.</summary>
    public required long ExpiredUnfetched { get; init; }

    /// <summary><c>reclaimed</c>.</summary>
    public required long Reclaimed { get; init; }

    /// <summary><c>outofmemory</c>.</summary>
    public required long OutOfMemory { get; init; }
}
