namespace CamCube.Services.Cache.Store;

/// <summary>What a reply says of an item.</summary>
internal static class ItemFacts
{
    /// <summary>The facts of an item as it is now, with marks and idle time as they were.</summary>
    public static CacheItemFacts Of(Item item, uint now, uint idleSeconds, CacheItemMarks marks) =>
        new(item.Value.Length, ItemExpiry.SecondsLeft(item.Expires, now), idleSeconds, marks)
        {
            MemoryBytes = (int)item.Cost,
            SizeClass = 1,
        };

    /// <summary>Seconds since it was used last.</summary>
    public static uint IdleSeconds(Item item, uint now) => now - Math.Min(now, item.Used);
}
