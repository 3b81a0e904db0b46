namespace CamCube.Tool.Tests.Commands.Camdoop;

/// <summary>A clock on which every wait is over at once, having taken its time.</summary>
internal sealed class HastyTime : TimeProvider
{
    private long _ticks = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero).Ticks;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => new(Interlocked.Read(ref _ticks), TimeSpan.Zero);

    public override long GetTimestamp() => Interlocked.Read(ref _ticks);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Interlocked.Add(ref _ticks, dueTime.Ticks);
        ThreadPool.QueueUserWorkItem(_ => callback(state));
        return new Over();
    }

    private sealed class Over : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose() { }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
