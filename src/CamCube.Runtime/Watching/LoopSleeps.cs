namespace CamCube.Runtime.Watching;

/// <summary>The sleeps of one loop, and the alarm of whoever watches it, if it can have one. Loop only, but
/// <see cref="CreateAlarm"/>.</summary>
internal sealed class LoopSleeps
{
    private volatile LoopAlarm? _alarm;

    /// <summary>The loop sets this alarm from now on. Null: not on this system. Any thread.</summary>
    public ILoopAlarm? CreateAlarm(TimeSpan after) =>
        OperatingSystem.IsLinux() ? _alarm = new LoopAlarm((long)after.TotalNanoseconds) : null;

    /// <summary>The loop is about to sleep.</summary>
    public void Begin(long nowNanos)
    {
        if (_alarm is { } alarm && OperatingSystem.IsLinux())
        {
            alarm.Sleep(nowNanos);
        }
    }

    /// <summary>It has slept. The alarm may have been made meanwhile.</summary>
    public void End(long nowNanos)
    {
        if (_alarm is { } alarm && OperatingSystem.IsLinux())
        {
            alarm.Awake(nowNanos);
        }
    }
}
