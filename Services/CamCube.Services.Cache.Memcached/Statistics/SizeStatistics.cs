using System.Globalization;
using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Statistics;

/// <summary>What <c>stats sizes</c> says, and what begins and ends it.</summary>
internal static class SizeStatistics
{
    /// <summary>Items by size, in steps of 32 bytes.</summary>
    public static IEnumerable<CacheStatistic> Of(CacheStoreNumbers store) =>
        store.Sizes is { } sizes
            ? sizes.Select(size => new CacheStatistic(
                size.Bytes.ToString(CultureInfo.InvariantCulture),
                size.Items.ToString(CultureInfo.InvariantCulture)
            ))
            : [new("sizes_status", "disabled")];

    /// <summary>Begins or ends it in all parts of the cache.</summary>
    public static async ValueTask<IEnumerable<CacheStatistic>> SwitchAsync(MemcachedContext context, bool isOn)
    {
        IReadOnlyList<bool> done = await context
            .Door.AskPartsAsync(static (cache, isOn) => cache.TrackSizes(isOn), isOn)
            .ConfigureAwait(false);
        if (isOn && done.Contains(false))
        {
            return [new("sizes_status", "error"), new("sizes_error", "not_kept")];
        }

        return [new("sizes_status", isOn ? "enabled" : "disabled")];
    }
}
