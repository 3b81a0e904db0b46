namespace CamCube.Runtime.Engine;

/// <summary>
/// The system's time of day as services may see it: it follows the system, also where that is set while the server runs
/// (a board without a battery starts in 1970 and is set by NTP later), but never goes backwards: while the system is
/// behind it runs at half speed. Loop only.
/// </summary>
internal sealed class CalendarClock(TimeProvider system)
{
    private long _atNanos = long.MinValue;
    private long _ticks;

    /// <summary>Ticks of UTC at a server time. Asked twice of one server time, as within a callback, it says the
    /// same.</summary>
    public long Read(long nowNanos)
    {
        if (nowNanos == _atNanos)
        {
            return _ticks;
        }

        long ticks = system.GetUtcNow().UtcTicks;
        if (_atNanos != long.MinValue)
        {
            ticks = Math.Max(ticks, _ticks + (Math.Max(0, nowNanos - _atNanos) / 200));
        }

        (_atNanos, _ticks) = (nowNanos, ticks);
        return ticks;
    }
}
