namespace CamCube.Runtime.Engine;

/// <summary>The server's clock as a TimeProvider, for library code; its timers fire on the loop.</summary>
internal sealed class ServerTimeProvider(ServerRuntime server, ServiceView owner) : TimeProvider
{
    public override long TimestampFrequency => 1_000_000_000;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long GetTimestamp() => server.ClockNow;

    public override DateTimeOffset GetUtcNow() => new(server.Context.UtcTicks(server.ClockNow), TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(owner, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    private sealed class Timer : ITimer
    {
        private readonly ServerTimer _timer;
        private TimeSpan _period;
        private bool _disposed;

        public Timer(ServiceView owner, TimerCallback callback, object? state) =>
            _timer = owner.CreateTimer(() =>
            {
                if (_period > TimeSpan.Zero)
                {
                    _timer!.Arm(_period);
                }

                callback(state);
            });

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (_disposed)
            {
                return false;
            }

            _period = period;
            if (dueTime < TimeSpan.Zero)
            {
                _timer.Cancel();
            }
            else
            {
                _timer.Arm(dueTime);
            }

            return true;
        }

        public void Dispose()
        {
            _disposed = true;
            _timer.Cancel();
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
