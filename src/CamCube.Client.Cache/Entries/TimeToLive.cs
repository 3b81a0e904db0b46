namespace CamCube.Client.Cache.Entries;

/// <summary>
/// How long a server shall keep an entry. A server counts whole seconds of its own clock and begins in the middle of
/// one, so a second is added: an entry never ends early, and at most two seconds late (an absolute end is checked
/// exactly by the reader).
/// </summary>
/// <param name="Seconds">Seconds from now; -1: for ever. What the flag <c>t</c> of an answer tells.</param>
/// <param name="Token">What the flag <c>T</c> of a request says: 0 for ever, up to 30 days seconds from now, above that
/// Unix time.</param>
internal readonly record struct TimeToLive(long Seconds, int Token)
{
    /// <summary>Longer times are taken as Unix time.</summary>
    private const long LongestRelative = 30 * 24 * 60 * 60;

    /// <summary>The entry stays until it is evicted.</summary>
    public static TimeToLive Forever { get; } = new(-1, 0);

    /// <summary>Rounds a time up to what a server takes.</summary>
    /// <param name="left">The time; null: for ever.</param>
    /// <param name="now">UTC; tells where Unix time begins to matter.</param>
    public static TimeToLive Of(TimeSpan? left, DateTimeOffset now)
    {
        if (left is not { } time)
        {
            return Forever;
        }

        long seconds = Math.Max(0, (long)Math.Ceiling(time.TotalSeconds)) + 1;
        if (seconds <= LongestRelative)
        {
            return new TimeToLive(seconds, (int)seconds);
        }

        // Servers read 32 bits. What ends after 2038 is told to stay; its header still ends it.
        long unixTime = now.ToUnixTimeSeconds() + seconds;
        return unixTime <= int.MaxValue ? new TimeToLive(seconds, (int)unixTime) : Forever;
    }

    /// <summary>Whether an entry with so many seconds left (-1: for ever) needs no other time.</summary>
    public bool IsMetBy(long secondsLeft) => secondsLeft < 0 ? Seconds < 0 : Seconds >= 0 && secondsLeft >= Seconds;
}
