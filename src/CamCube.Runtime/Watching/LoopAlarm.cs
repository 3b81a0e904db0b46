using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Runtime.Watching;

/// <summary>
/// The alarm of a loop that sets a timer when it wakes, and takes it back before it sleeps. Both are calls that wake no
/// thread, where each look wakes one, which costs tens of microseconds. The loop's part is on the loop, the rest on the
/// thread that looks.
/// </summary>
/// <param name="nanos">How long the loop is awake at most before it rings.</param>
/// <remarks>
/// A loop that wakes thousands of times in a second is spared both calls: after a short sleep the timer stays set over
/// the next one, and it is put off only when less than half of its time is left.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class LoopAlarm(long nanos) : ILoopAlarm
{
    private const int TimerKey = 0,
        EndKey = 1;

    // Of the alarm's time: sleeps below it are short.
    private const int ShortPart = 4;
    private readonly WakeTimer _timer = new();
    private readonly WakeSignal _end = new();
    private readonly Poller _poller = new(2);
    private bool _isWatched;
    private bool _sleepsLong = true;
    private long _asleepSince;
    private long _dueNanos = long.MinValue;

    /// <summary>The loop is about to sleep. Loop only.</summary>
    public void Sleep(long nowNanos)
    {
        _asleepSince = nowNanos;
        if (_sleepsLong)
        {
            _timer.Set(0);
            _dueNanos = long.MinValue;
        }
    }

    /// <summary>The loop has slept. Loop only.</summary>
    public void Awake(long nowNanos)
    {
        _sleepsLong = nowNanos - _asleepSince >= nanos / ShortPart;
        if (_dueNanos < nowNanos + (nanos / 2))
        {
            _dueNanos = nowNanos + nanos;
            _timer.Set(nanos);
        }
    }

    public void Wait(TimeSpan limit)
    {
        if (!_isWatched)
        {
            _isWatched = true;
            _poller.Watch(_timer.Handle, TimerKey, PollEvents.Readable);
            _poller.Watch(_end.Handle, EndKey, PollEvents.Readable);
        }

        if (_poller.Wait((long)limit.TotalNanoseconds) > 0)
        {
            _timer.Reset();
        }
    }

    public void End() => _end.Set();

    public void Dispose()
    {
        _poller.Dispose();
        _timer.Dispose();
        _end.Dispose();
    }
}
