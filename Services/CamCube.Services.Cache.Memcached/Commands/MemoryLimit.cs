using CamCube.Services.Cache.Memcached.Doors;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>memcached's <c>cache_memlimit</c>: the memory of this server, in equal parts where several loops share the
/// keys.</summary>
internal static class MemoryLimit
{
    /// <summary>Changes it. <see cref="CacheStatus.OutOfMemory"/>: so little or so much is not possible, and all is as
    /// it was.</summary>
    public static async ValueTask<CacheReply> ChangeAsync(ICacheDoor door, long megabytes)
    {
        IReadOnlyList<long> limits = await door.AskPartsAsync(
                static (cache, _) => cache.GetStoreNumbers().LimitBytes,
                0
            )
            .ConfigureAwait(false);
        long part = (megabytes << 20) / limits.Count;
        IReadOnlyList<bool> done = await door.AskPartsAsync(
                static (cache, bytes) => cache.TrySetMemoryLimit(bytes),
                part
            )
            .ConfigureAwait(false);
        if (!done.Contains(false))
        {
            return new CacheReply(CacheStatus.Done);
        }

        // The parts are equal at all times, so what one had all had.
        if (done.Contains(true))
        {
            await door.AskPartsAsync(static (cache, bytes) => cache.TrySetMemoryLimit(bytes), limits[0])
                .ConfigureAwait(false);
        }

        return new CacheReply(CacheStatus.OutOfMemory);
    }
}
