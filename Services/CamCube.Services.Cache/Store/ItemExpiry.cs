namespace CamCube.Services.Cache.Store;

/// <summary>memcached's expiry numbers.</summary>
internal static class ItemExpiry
{
    /// <summary>Expires never.</summary>
    public const uint Never = 0;

    /// <summary>Largest number that means seconds from now: 30 days. Above it is a Unix time.</summary>
    public const long MostRelativeSeconds = 60 * 60 * 24 * 30;

    /// <summary>
    /// Seconds since 1970 from which an item with this expiry is expired: <see cref="Never"/> for 0 and for times
    /// beyond the year 2106, now for negative numbers.
    /// </summary>
    public static uint ToSeconds(long expiry, uint now) =>
        expiry switch
        {
            0 => Never,
            < 0 => now,
            <= MostRelativeSeconds => now + (uint)expiry,
            _ => expiry > uint.MaxValue ? Never : (uint)expiry,
        };

    /// <summary>Whether an item that expires then is expired now.</summary>
    public static bool IsOver(uint expires, uint now) => expires != Never && expires <= now;

    /// <summary>Seconds that are left; −1: for ever.</summary>
    public static long SecondsLeft(uint expires, uint now) => expires == Never ? -1 : Math.Max(0L, (long)expires - now);
}
