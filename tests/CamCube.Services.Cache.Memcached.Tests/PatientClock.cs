namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>
/// The machine's clock, for a loop that others may keep from the processor: it goes on by at most
/// <see cref="MostTicks"/> from one look at it to the next, so that to the loop, which looks at it in each turn, no
/// time passes while it cannot run. Any thread.
/// </summary>
internal sealed class PatientClock : TimeProvider
{
    // More than a loop sleeps between two timers, less than a heartbeat is late.
    private static readonly long MostTicks = System.TimestampFrequency / 100;

    private readonly Lock _lock = new();
    private long _looked = System.GetTimestamp();
    private long _now;

    /// <inheritdoc/>
    public override long TimestampFrequency => System.TimestampFrequency;

    /// <inheritdoc/>
    public override long GetTimestamp()
    {
        lock (_lock)
        {
            long looked = System.GetTimestamp();
            _now += Math.Min(looked - _looked, MostTicks);
            _looked = looked;
            return _now;
        }
    }
}
