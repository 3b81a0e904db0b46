namespace CamCube.Services.Cache.FrontEnds;

/// <summary>memcached's <c>cache_memlimit</c>: the memory of this server, in equal parts where several loops share the keys.</summary>
internal static class MemoryLimit
{
    /// <summary>Changes it. <see cref="CacheStatus.OutOfMemory"/>: so little or so much is not possible.</summary>
    internal static async ValueTask<CacheReply> ChangeAsync(ICacheDoor door, long megabytes)
    {
        IReadOnlyList<long> limits = await door
            .AskPartsAsync(static (cache, _) => cache.GetStoreNumbers().LimitBytes, 0).ConfigureAwait(false);
        long part = (megabytes << 20) / limits.Count;
        IReadOnlyList<bool> done = await door
            .AskPartsAsync(static (cache, bytes) => cache.TrySetMemoryLimit(bytes), part).ConfigureAwait(false);
        return new CacheReply(done.Contains(false) ? CacheStatus.OutOfMemory : CacheStatus.Done);
    }
}
