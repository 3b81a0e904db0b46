namespace CamCube.Services.Cache;

/// <summary>What a server's store says of its memory: for <c>stats</c>, <c>stats slabs</c>, <c>stats items</c> and
/// <c>stats sizes</c>.</summary>
public sealed record CacheStoreNumbers
{
    /// <summary>Numbers of classes are below this.</summary>
    public const int MostClasses = 192;

    /// <summary>Of a cache that tells nothing.</summary>
    public static CacheStoreNumbers None { get; } = new();

    /// <summary>The classes that have pages, in the order of size.</summary>
    public IReadOnlyList<CacheClassNumbers> Classes { get; init; } = [];

    /// <summary>Items by size, smallest first; null: they are not counted (<see cref="ICache.TrackSizes"/>).</summary>
    public IReadOnlyList<CacheSizeCount>? Sizes { get; init; }

    /// <summary>Bytes of a page.</summary>
    public int PageBytes { get; init; }

    /// <summary><c>total_malloced</c>: bytes of pages that were ever in use.</summary>
    public long ResidentBytes { get; init; }

    /// <summary><c>maxbytes</c>: bytes that everything may take.</summary>
    public long LimitBytes { get; init; }

    /// <summary>Whether items go for others when memory is full.</summary>
    public bool IsEvicting { get; init; } = true;

    /// <summary>Whether items have tokens for compare-and-swap.</summary>
    public bool HasTokens { get; init; } = true;

    /// <summary><c>slab_global_page_pool</c>: pages that every class may take.</summary>
    public int FreePages { get; init; }

    /// <summary><c>hash_power_level</c>.</summary>
    public int HashPowerLevel { get; init; }

    /// <summary><c>hash_bytes</c>.</summary>
    public long HashBytes { get; init; }

    /// <summary><c>age</c> of every class, for there is one order of use: seconds since the least recently used item
    /// was used.</summary>
    public uint OldestSeconds { get; init; }
}
