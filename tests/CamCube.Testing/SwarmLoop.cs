namespace CamCube.Testing;

/// <summary>
/// Where a scenario and its clients go on after an await: on the thread that drives the cube, between two advances, so
/// in the middle of nothing. Timers are of virtual time. Posts may come from any thread, and one that does is
/// remembered: what depends on threads cannot be repeated.
/// </summary>
internal sealed class SwarmLoop : SynchronizationContext
{
    private const int MostAtOnce = 1_000_000;
    private readonly Lock _lock = new();
    private readonly Queue<(SendOrPostCallback Act, object? State)> _due = new();
    private readonly PriorityQueue<SwarmTimer, (long Nanos, long Order)> _timers = new();
    private readonly Thread _thread = Thread.CurrentThread;
    private long _order;

    /// <summary>Whether somebody else's thread came in.</summary>
    public bool HasForeign { get; private set; }

    /// <summary>Whether the calling code is part of the scenario.</summary>
    public bool IsCurrent => Current == this;

    /// <summary>How often the scenario went on: for who watches from another thread.</summary>
    public long Turns => Volatile.Read(ref _turns);

    /// <summary>Whether it goes on now, for the same.</summary>
    public bool IsTurning => Volatile.Read(ref _isTurning);

    private long _turns;
    private bool _isTurning;

    /// <summary>When the next timer is due.</summary>
    public long NextNanos
    {
        get
        {
            while (_timers.TryPeek(out SwarmTimer? timer, out (long Nanos, long Order) due))
            {
                if (!timer.IsOver)
                {
                    return due.Nanos;
                }

                _timers.Dequeue();
            }

            return long.MaxValue;
        }
    }

    /// <summary>A timer that ends then.</summary>
    public SwarmTimer TimerAt(long nanos)
    {
        var timer = new SwarmTimer();
        _timers.Enqueue(timer, (nanos, _order++));
        return timer;
    }

    /// <summary>Goes on with all that can.</summary>
    /// <returns>Whether there was anything.</returns>
    /// <exception cref="SwarmLoopException">It goes on and on, and no time passes.</exception>
    public bool Run(long nowNanos)
    {
        SynchronizationContext? before = Current;
        SetSynchronizationContext(this);
        Volatile.Write(ref _isTurning, true);
        try
        {
            int turns = 0;
            for (; ; turns++)
            {
                if (turns > MostAtOnce)
                {
                    throw new SwarmLoopException();
                }

                if (TryTake() is { } next)
                {
                    Volatile.Write(ref _turns, _turns + 1);
                    next.Act(next.State);
                }
                else if (NextNanos <= nowNanos)
                {
                    _timers.Dequeue().End();
                }
                else
                {
                    return turns > 0;
                }
            }
        }
        finally
        {
            Volatile.Write(ref _isTurning, false);
            SetSynchronizationContext(before);
        }
    }

    /// <inheritdoc/>
    public override void Post(SendOrPostCallback d, object? state)
    {
        lock (_lock)
        {
            HasForeign |= Thread.CurrentThread != _thread;
            _due.Enqueue((d, state));
        }
    }

    /// <inheritdoc/>
    public override void Send(SendOrPostCallback d, object? state) =>
        throw new NotSupportedException("A scenario goes on later, never at once.");

    /// <inheritdoc/>
    public override SynchronizationContext CreateCopy() => this;

    private (SendOrPostCallback Act, object? State)? TryTake()
    {
        lock (_lock)
        {
            return _due.TryDequeue(out (SendOrPostCallback Act, object? State) next) ? next : null;
        }
    }
}
