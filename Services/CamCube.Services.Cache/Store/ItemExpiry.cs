namespace CamCube.Services.Cache.Store;

/// <summary>memcached's expiry numbers.</summary>
internal static class ItemExpiry
{
    /// <summary>Expires never.</summary>
    public const long Never = long.MaxValue;

    /// <summary>Largest number that means seconds from now: 30 days. Above it is a Unix time.</summary>
    public const long MostRelativeSeconds = 60 * 60 * 24 * 30;

    private static readonly long MostUnixSeconds =
        (DateTime.MaxValue.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond;

    /// <summary>UTC ticks from which an item with this expiry is expired: <see cref="Never"/> for 0, now for negative
    /// numbers.</summary>
    public static long ToTicks(long expiry, long nowTicks) => expiry switch
    {
        0 => Never,
        < 0 => nowTicks,
        <= MostRelativeSeconds => nowTicks + (expiry * TimeSpan.TicksPerSecond),
        _ => expiry >= MostUnixSeconds ? Never : DateTime.UnixEpoch.Ticks + (expiry * TimeSpan.TicksPerSecond),
    };
}
