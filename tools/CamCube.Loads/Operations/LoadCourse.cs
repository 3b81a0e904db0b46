namespace CamCube.Loads.Operations;

/// <summary>When operations of a phase begin, and when it is over. Any thread.</summary>
internal sealed class LoadCourse
{
    private readonly long _operations;
    private readonly long _beginNanos;
    private readonly long _endNanos;
    private readonly double _intervalNanos;
    private long _taken;
    private int _isStopped;

    /// <summary>Begins a phase.</summary>
    /// <param name="now">Now.</param>
    /// <param name="operations">Operations after which it ends; 0: none.</param>
    /// <param name="time">Time after which it ends.</param>
    /// <param name="rate">Operations in a second; 0: as fast as they end.</param>
    public LoadCourse(long now, long operations, TimeSpan time, double rate)
    {
        _operations = operations;
        _beginNanos = now;
        _endNanos = time == Timeout.InfiniteTimeSpan ? long.MaxValue : now + (time.Ticks * 100);
        _intervalNanos = rate > 0 ? 1e9 / rate : 0;
    }

    /// <summary>Whether operations begin by the clock.</summary>
    public bool IsPaced => _intervalNanos > 0;

    /// <summary>When it is over at the latest.</summary>
    public long EndNanos => _endNanos;

    /// <summary>Operations whose time came and that were not begun, as all connections were busy until the end.
    /// </summary>
    public long Late
    {
        get
        {
            long due = IsPaced && _endNanos != long.MaxValue ? (long)((_endNanos - _beginNanos) / _intervalNanos) : 0;
            due = _operations > 0 ? Math.Min(due, _operations) : due;
            return _isStopped != 0 ? 0 : Math.Max(due - Volatile.Read(ref _taken), 0);
        }
    }

    /// <summary>Ends it.</summary>
    public void Stop() => Volatile.Write(ref _isStopped, 1);

    /// <summary>Takes the next operation, if it is time for it.</summary>
    /// <param name="now">Now.</param>
    /// <param name="index">Which it is, from 0.</param>
    /// <param name="dueNanos">When it was, or is, to begin; its time counts from there.</param>
    public LoadTurn TryTake(long now, out long index, out long dueNanos)
    {
        while (true)
        {
            index = Volatile.Read(ref _taken);
            dueNanos = IsPaced ? _beginNanos + (long)(index * _intervalNanos) : now;
            if (IsOver(now, index, dueNanos))
            {
                return LoadTurn.Over;
            }

            if (dueNanos > now)
            {
                return LoadTurn.Later;
            }

            if (Interlocked.CompareExchange(ref _taken, index + 1, index) == index)
            {
                return LoadTurn.Taken;
            }
        }
    }

    /// <summary>Whether no operation begins any more.</summary>
    public bool IsOverAt(long now) => IsOver(now, Volatile.Read(ref _taken), now);

    /// <summary>Takes the next operation, for which the caller waits until it is due.</summary>
    public bool TryTakeAhead(long now, out long index, out long dueNanos)
    {
        index = Interlocked.Increment(ref _taken) - 1;
        dueNanos = IsPaced ? _beginNanos + (long)(index * _intervalNanos) : now;
        return !IsOver(now, index, dueNanos);
    }

    private bool IsOver(long now, long index, long dueNanos) =>
        _isStopped != 0 || now >= _endNanos || dueNanos >= _endNanos || (_operations > 0 && index >= _operations);
}
