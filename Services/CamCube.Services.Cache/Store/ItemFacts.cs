using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>What a reply says of an item.</summary>
internal static class ItemFacts
{
    /// <summary>The facts of an item as it is now, with marks and idle time as they were.</summary>
    public static CacheItemFacts Of(ItemStore store, uint item, uint now, uint idleSeconds, CacheItemMarks marks)
    {
        ref ItemHeader header = ref store[item];
        return new CacheItemFacts(header.Length, ItemExpiry.SecondsLeft(header.Expires, now), idleSeconds, marks)
        {
            MemoryBytes = store.MemoryOf(item),
            SizeClass = (byte)store.ClassOf(item),
        };
    }

    /// <summary>Seconds since it was used last.</summary>
    public static uint IdleSeconds(in ItemHeader item, uint now) => now - Math.Min(now, item.Used);
}
