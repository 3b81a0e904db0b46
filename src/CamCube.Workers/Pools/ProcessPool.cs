using CamCube.Linux;

namespace CamCube.Workers;

/// <summary>
/// Workers of one kind in this process. A job waits in one queue; a seat, which is a thread with a worker, takes it.
/// Seats are made when there are jobs and none is idle, and go when there is nothing to do. Long jobs never have all of
/// them: there is one more than may be at long ones. Any thread.
/// </summary>
/// <param name="kind">What the workers are.</param>
/// <param name="time">The clock.</param>
internal sealed class ProcessPool(WorkerKind kind, TimeProvider time) : IDisposable
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(30);

    // A Lock cannot be waited at.
    private readonly object _gate = new();
    private readonly LinkedList<PoolJob> _waiting = new();
    private readonly List<WorkerSeat> _seats = [];
    private readonly KillerMemory _killers = new(kind.Options.RememberedKillers, kind.Options.RememberedTime);
    private readonly int _most = kind.Options.Processes > 0 ? kind.Options.Processes : Environment.ProcessorCount;
    private int _idle;
    private int _long;
    private int _lastSeat;
    private bool _isClosed;
    private long _answered;
    private long _refused;
    private long _killed;
    private byte[] _hello = [];
    private WorkerResult _refusal;
    private TimeSpan _pause;
    private long _pauseBegan;

    /// <summary>What the workers are.</summary>
    public WorkerKind Kind => kind;

    /// <summary>The clock.</summary>
    public TimeProvider Time => time;

    /// <summary>What the pool has done.</summary>
    public WorkersSummary Summary
    {
        get
        {
            lock (_gate)
            {
                int processes = _seats.Count(seat => seat.HasProcess);
                return new WorkersSummary(
                    processes,
                    _waiting.Count,
                    _answered,
                    _refused,
                    _killed,
                    _killers.Count,
                    _refusal.Text ?? "",
                    _hello
                );
            }
        }
    }

    private long NowNanos => (long)(time.GetElapsedTime(0).TotalMilliseconds * 1_000_000);

    /// <summary>Queues a job.</summary>
    /// <param name="job">The job.</param>
    /// <param name="cancel">Takes it back while it waits.</param>
    /// <param name="left">As above: its user has left.</param>
    public async ValueTask<WorkerResult> RunAsync(WorkerJob job, CancellationToken cancel, CancellationToken left)
    {
        PoolJob waiting = new(job) { IsLong = job.Cost >= kind.Options.LongFrom };
        if (Refuses(waiting) is { } refused)
        {
            return refused;
        }

        await using (cancel.UnsafeRegister(_ => TakeBack(waiting, WorkerStatus.Cancelled), null).ConfigureAwait(false))
        {
            await using (left.UnsafeRegister(_ => TakeBack(waiting, WorkerStatus.Stopped), null).ConfigureAwait(false))
            {
                return await waiting.Task.ConfigureAwait(false);
            }
        }
    }

    /// <summary>Jobs that wait are stopped, workers killed; jobs that run end with them.</summary>
    public void Dispose()
    {
        List<PoolJob> waiting;
        List<WorkerSeat> seats;
        lock (_gate)
        {
            _isClosed = true;
            waiting = [.. _waiting];
            seats = [.. _seats];
            _waiting.Clear();
            waiting.ForEach(job => job.Place = null);
            Monitor.PulseAll(_gate);
        }

        waiting.ForEach(job => job.End(WorkerStatus.Stopped));
        seats.ForEach(seat => seat.Kill());
    }

    /// <summary>For a seat: the next job. Waits for as long as an idle worker lives.</summary>
    /// <returns>Null: the seat is to end; it is no longer the pool's.</returns>
    public PoolJob? Take(WorkerSeat seat)
    {
        lock (_gate)
        {
            PoolJob? next = Next();
            for (bool isWoken = true; next is null && isWoken && !_isClosed; next = Next())
            {
                _idle++;
                isWoken = Monitor.Wait(_gate, kind.Options.IdleTime);
                _idle--;
            }

            if (_isClosed || next is null)
            {
                _seats.Remove(seat);
                return null;
            }

            _waiting.Remove(next.Place!);
            next.Place = null;
            _long += next.IsLong ? 1 : 0;
            return next;
        }
    }

    /// <summary>For a seat: it is through with a job that it took.</summary>
    public void Leave(PoolJob job)
    {
        lock (_gate)
        {
            if (job.IsLong)
            {
                // Its own seat may take one that is not long, while a long one and an idle seat wait for each other.
                _long--;
                Monitor.Pulse(_gate);
            }
        }
    }

    /// <summary>For a seat: whether the pool is closed.</summary>
    public bool IsClosed
    {
        get
        {
            lock (_gate)
            {
                return _isClosed;
            }
        }
    }

    /// <summary>For a seat: whether the job killed a worker before.</summary>
    /// <param name="job">The job.</param>
    public bool IsKiller(WorkerJob job)
    {
        lock (_gate)
        {
            if (!_killers.KnowsLength(job.Subject.Length, NowNanos))
            {
                return false;
            }
        }

        Killer subject = Killer.Of(job.Subject);
        lock (_gate)
        {
            return _killers.Knows(subject);
        }
    }

    /// <summary>For a seat: a job was answered, or killed its worker.</summary>
    public void Count(WorkerJob job, bool wasAnswered)
    {
        Killer? killer = wasAnswered || job.Subject.IsEmpty ? null : Killer.Of(job.Subject);
        lock (_gate)
        {
            if (wasAnswered)
            {
                _answered++;
                return;
            }

            _killed++;
            if (killer is { } known)
            {
                _killers.Add(known, NowNanos);
            }
        }
    }

    /// <summary>For a seat: a worker has begun.</summary>
    /// <param name="hello">What it said first.</param>
    public void Began(byte[] hello)
    {
        bool isNews;
        lock (_gate)
        {
            isNews = !hello.AsSpan().SequenceEqual(_hello);
            (_hello, _refusal, _pause) = (hello, default, TimeSpan.Zero);
        }

        if (isNews && kind.Protocol.TextOf(hello) is { Length: > 0 } text)
        {
            kind.Log?.Invoke($"{kind.Name} worker: {text}");
        }
    }

    /// <summary>For a seat: a worker could not begin. For a while, longer each time, none is tried; always a short one
    /// if it was only late, as on a busy machine.</summary>
    /// <param name="refusal">What becomes of jobs meanwhile, and why.</param>
    public void CouldNotBegin(in WorkerResult refusal)
    {
        bool isNews;
        lock (_gate)
        {
            isNews = _refusal.Text != refusal.Text;
            _refusal = refusal;
            bool isFirst = _pause == TimeSpan.Zero || refusal.Status == WorkerStatus.Busy;
            _pause = isFirst ? FirstPause : (_pause * 2 < LongestPause ? _pause * 2 : LongestPause);
            _pauseBegan = time.GetTimestamp();
        }

        if (isNews)
        {
            kind.Log?.Invoke($"{kind.Name} workers cannot be started: {refusal.Text}");
        }
    }

    /// <summary>What becomes of jobs while no worker is tried; null if one is.</summary>
    public WorkerResult? Refusal
    {
        get
        {
            lock (_gate)
            {
                return _pause > TimeSpan.Zero && time.GetElapsedTime(_pauseBegan) < _pause ? _refusal : null;
            }
        }
    }

    // The first that may be begun now.
    private PoolJob? Next() => _waiting.FirstOrDefault(IsReady);

    private bool IsReady(PoolJob job) => !job.IsLong || _long < _most;

    private WorkerResult? Refuses(PoolJob job)
    {
        if (!OperatingSystem.IsLinux())
        {
            return new WorkerResult(
                WorkerStatus.Unavailable,
                default,
                "Workers need Linux: other systems have no sandbox for them here."
            );
        }

        WorkerSeat? seat = null;
        lock (_gate)
        {
            if (_isClosed)
            {
                return new WorkerResult(WorkerStatus.Stopped, default, "");
            }

            int most = !job.IsLong && _long >= _most ? _most + 1 : _most;
            bool hasRoom = _idle > _waiting.Count || _seats.Count < most;
            if (!hasRoom && _waiting.Count >= kind.Options.QueueLimit)
            {
                _refused++;
                return new WorkerResult(WorkerStatus.Busy, default, "");
            }

            job.Place = _waiting.AddLast(job);
            if (_idle >= _waiting.Count(IsReady))
            {
                Monitor.Pulse(_gate);
            }
            else if (_seats.Count < most)
            {
                seat = new WorkerSeat(this, $"camcube-{kind.Name}-{++_lastSeat}");
                _seats.Add(seat);
            }
        }

        seat?.Start();
        return null;
    }

    private void TakeBack(PoolJob job, WorkerStatus status)
    {
        lock (_gate)
        {
            if (job.Place is not { } place)
            {
                return;
            }

            _waiting.Remove(place);
            job.Place = null;
        }

        job.End(status);
    }
}
