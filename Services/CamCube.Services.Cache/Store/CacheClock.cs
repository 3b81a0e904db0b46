namespace CamCube.Services.Cache.Store;

/// <summary>
/// The clock of expiry: whole seconds since 1970, as memcached's. It begins with the server's wall clock and goes on
/// with its steady one, so setting the wall clock neither ends nor prolongs an item's life. Times of day that clients
/// name are translated by the wall clock of the moment: a board that began in 1970 and was set right since takes them
/// for what they mean. Loop only.
/// </summary>
internal sealed class CacheClock
{
    private const long NanosPerSecond = 1_000_000_000;
    private readonly IServer _server;
    private uint _seconds;
    private long _nextNanos;

    public CacheClock(IServer server)
    {
        _server = server;
        long ticks = Math.Max(0, server.TimeProvider.GetUtcNow().Ticks - DateTime.UnixEpoch.Ticks);
        _seconds = (uint)(ticks / TimeSpan.TicksPerSecond);
        long passedNanos = ticks % TimeSpan.TicksPerSecond * TimeSpan.NanosecondsPerTick;
        _nextNanos = server.NowNanos + NanosPerSecond - passedNanos;
    }

    /// <summary>The terms with the times of day in them as this clock will show them.</summary>
    public CacheTerms Translate(in CacheTerms terms)
    {
        const long Most = ItemExpiry.MostRelativeSeconds;
        return terms.Expiry <= Most && terms.VivifyExpiry <= Most && terms.RecacheSeconds <= Most
            ? terms
            : terms with
            {
                Expiry = Translate(terms.Expiry),
                VivifyExpiry = Translate(terms.VivifyExpiry),
                RecacheSeconds = (int)Math.Min(int.MaxValue, Translate(terms.RecacheSeconds)),
            };
    }

    // What has passed is over at once, whatever this clock shows; what this clock cannot show never comes.
    private long Translate(long expiry)
    {
        if (expiry is <= ItemExpiry.MostRelativeSeconds or > uint.MaxValue)
        {
            return expiry;
        }

        long left =
            expiry - ((_server.TimeProvider.GetUtcNow().Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond);
        return left <= 0 ? -1
            : left <= ItemExpiry.MostRelativeSeconds ? left
            : Seconds + left;
    }

    /// <summary>Time until so many more ticks, at least 1, have come.</summary>
    public long NanosUntil(long seconds)
    {
        _ = Seconds;
        return seconds > 1_000_000_000
            ? long.MaxValue
            : _nextNanos - _server.NowNanos + ((seconds - 1) * NanosPerSecond);
    }

    /// <summary>Seconds since 1970: the tick that came last.</summary>
    public uint Seconds
    {
        get
        {
            long behind = _server.NowNanos - _nextNanos;
            if (behind >= 0)
            {
                uint ticks = (uint)(behind / NanosPerSecond) + 1;
                _seconds += ticks;
                _nextNanos += ticks * NanosPerSecond;
            }

            return _seconds;
        }
    }
}
