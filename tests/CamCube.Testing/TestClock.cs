namespace CamCube.Testing;

/// <summary>
/// A clock that stands still until the test moves it, for what takes a <see cref="TimeProvider"/> outside of a cube:
/// front ends, clients. Timers run on the thread that moves it and fire once. Any thread.
/// </summary>
/// <param name="start">The first time.</param>
public sealed class TestClock(DateTimeOffset start) : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<TestTimer> _timers = [];
    private DateTimeOffset _now = start;

    /// <summary>Starts where the machine's clock is, for servers with a clock of their own.</summary>
    public TestClock()
        : this(DateTimeOffset.UtcNow) { }

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow()
    {
        lock (_lock)
        {
            return _now;
        }
    }

    /// <inheritdoc/>
    public override long GetTimestamp() => GetUtcNow().UtcTicks;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (period != Timeout.InfiniteTimeSpan)
        {
            throw new NotSupportedException("Timers of this clock fire once.");
        }

        var timer = new TestTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves time on; timers run in the order in which they are due.</summary>
    public void Advance(TimeSpan time)
    {
        DateTimeOffset end = GetUtcNow() + time;
        while (true)
        {
            TestTimer? next;
            lock (_lock)
            {
                next = _timers.Where(timer => timer.Due <= end).MinBy(timer => timer.Due);
                _now =
                    next is null ? end
                    : next.Due > _now ? next.Due
                    : _now;
                if (next is null)
                {
                    return;
                }

                _timers.Remove(next);
            }

            next.Run();
        }
    }

    private sealed class TestTimer(TestClock clock, TimerCallback callback, object? state) : ITimer
    {
        public DateTimeOffset Due { get; private set; }

        public void Run() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (clock._lock)
            {
                clock._timers.Remove(this);
                if (dueTime != Timeout.InfiniteTimeSpan)
                {
                    Due = clock._now + dueTime;
                    clock._timers.Add(this);
                }

                return true;
            }
        }

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
