using CamCube.FrontEnds.Protocols;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>
/// CLIENT PAUSE: commands of this front end's clients stand still for a while, in the order in which they came; the
/// server's loop has nothing to do for them meanwhile. Any thread.
/// </summary>
/// <param name="time">The clock that ends it.</param>
internal sealed class ClientPause(TimeProvider time) : IDisposable
{
    private readonly Lock _lock = new();
    private readonly LinkedList<IQuestionOwner> _held = new();
    private volatile PauseKind _kind;
    private long _from;
    private TimeSpan _length;
    private ITimer? _timer;

    /// <summary>What stands still now.</summary>
    public PauseKind Kind => _kind;

    /// <summary>How long still.</summary>
    public TimeSpan Left
    {
        get
        {
            lock (_lock)
            {
                return _kind == PauseKind.None ? TimeSpan.Zero : LeftNow;
            }
        }
    }

    /// <summary>Clients that have said something that stands still.</summary>
    public int HeldCount
    {
        get
        {
            lock (_lock)
            {
                return _held.Count;
            }
        }
    }

    private TimeSpan LeftNow
    {
        get
        {
            TimeSpan left = _length - time.GetElapsedTime(_from);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    /// <summary>A pause begins. One that goes on is never made shorter or smaller by this.</summary>
    public void Begin(PauseKind kind, TimeSpan length)
    {
        lock (_lock)
        {
            if (_kind == PauseKind.None || LeftNow < length)
            {
                (_from, _length) = (time.GetTimestamp(), length);
            }

            _kind = (PauseKind)Math.Max((int)_kind, (int)kind);
            _timer ??= time.CreateTimer(
                static self => ((ClientPause)self!).TryEndByTime(),
                this,
                Timeout.InfiniteTimeSpan,
                Timeout.InfiniteTimeSpan
            );
            SetTimer();
        }
    }

    /// <summary>It is over, whatever its time is: those that were held have a turn.</summary>
    public void End() => Wake(TakeHeld(byTime: false));

    /// <summary>Keeps a client until the pause is over; it is told by <see cref="IQuestionOwner.QuestionEnded"/>.
    /// False: there is no pause for what it said.</summary>
    /// <param name="isChange">Whether that changes keys.</param>
    /// <param name="place">The client's place in the line, always the same.</param>
    public bool TryHold(bool isChange, LinkedListNode<IQuestionOwner> place)
    {
        lock (_lock)
        {
            bool isHeld = _kind == PauseKind.All || (_kind == PauseKind.Writes && isChange);
            if (isHeld && place.List is null)
            {
                _held.AddLast(place);
            }

            return isHeld;
        }
    }

    /// <summary>A client is gone.</summary>
    public void Forget(LinkedListNode<IQuestionOwner> place)
    {
        lock (_lock)
        {
            if (place.List is not null)
            {
                _held.Remove(place);
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        End();
        lock (_lock)
        {
            _timer?.Dispose();
            _timer = null;
        }
    }

    private static void Wake(IQuestionOwner[] owners)
    {
        foreach (IQuestionOwner owner in owners)
        {
            owner.QuestionEnded();
        }
    }

    private void TryEndByTime() => Wake(TakeHeld(byTime: true));

    private IQuestionOwner[] TakeHeld(bool byTime)
    {
        lock (_lock)
        {
            if (_kind == PauseKind.None)
            {
                return [];
            }

            // It was made longer meanwhile, or the timer counts in coarser steps than the clock.
            if (byTime && LeftNow > TimeSpan.Zero)
            {
                SetTimer();
                return [];
            }

            _kind = PauseKind.None;
            IQuestionOwner[] owners = [.. _held];
            _held.Clear();
            return owners;
        }
    }

    private void SetTimer() =>
        _timer?.Change(TimeSpan.FromMilliseconds(Math.Ceiling(LeftNow.TotalMilliseconds)), Timeout.InfiniteTimeSpan);
}
