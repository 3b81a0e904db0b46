using CamCube.Linux;

namespace CamCube.Runtime.Workers;

/// <summary>
/// The threads of one class of work and what waits for them: servers take turns, each with its own bounded queue. One
/// of the named borders where threads meet: loops add and take out under one lock that is never held while anything
/// runs. Threads start when there is work for them and stay. A thread whose work nobody waits for any more is lost
/// until it comes back; another may take its place.
/// </summary>
/// <param name="name">For the threads' names.</param>
/// <param name="threads">How many.</param>
/// <param name="lostLimit">How many lost ones are replaced.</param>
/// <param name="isLow">Whether they have lower priority than loops.</param>
internal sealed class WorkLane(string name, int threads, int lostLimit, bool isLow)
{
    private const int LowNice = 10;
    private readonly object _lock = new();
    private readonly List<Job> _lost = [];
    private WorkQueue? _firstReady;
    private WorkQueue? _lastReady;
    private int _live;
    private int _idle;
    private bool _closed;

    public string Name => name;

    // Under the lock.
    private int Ceiling => threads + Math.Min(_lost.Count, lostLimit);

    /// <summary>Gives a job to the threads. False: so many wait for this server already, or the lane has
    /// ended.</summary>
    public bool TryAdd(WorkQueue queue, Job job)
    {
        bool start;
        lock (_lock)
        {
            if (_closed || queue.Count >= queue.Limit)
            {
                queue.Refused++;
                return false;
            }

            (job.Phase, job.IsWithLane) = (JobPhase.Waiting, true);
            queue.Add(job);
            MarkReady(queue);
            start = _idle == 0 && _live < Ceiling;
            if (start)
            {
                _live++;
            }
            else if (_idle > 0)
            {
                _idle--;
                Monitor.Pulse(_lock);
            }
        }

        if (start)
        {
            StartThread();
        }

        return true;
    }

    /// <summary>
    /// Nobody waits for a job any more. True: it had not begun, and is its owner's again. False: a thread does it, or
    /// has done it; it comes back to the loop by itself, and until then the thread counts as lost.
    /// </summary>
    public bool TryTakeOut(Job job, out int lost)
    {
        bool start = false;
        lock (_lock)
        {
            lost = _lost.Count;
            if (job.Phase == JobPhase.Waiting)
            {
                job.Queue!.Remove(job);
                (job.Phase, job.IsWithLane) = (JobPhase.Idle, false);
                return true;
            }

            if (job.Phase == JobPhase.Running)
            {
                job.Phase = JobPhase.Lost;
                _lost.Add(job);
                lost++;
                start = !_closed && _firstReady is not null && _live < Ceiling;
                _live += start ? 1 : 0;
            }
        }

        if (start)
        {
            StartThread();
        }

        return false;
    }

    /// <summary>What a server has here, for the status. Any thread.</summary>
    public (int Waiting, int Running, long Refused, string[] Lost) Look(WorkQueue queue, int rank)
    {
        lock (_lock)
        {
            string[] lost =
                _lost.Count == 0
                    ? []
                    : [.. _lost.Where(j => j.Owner.Rank == rank).Select(j => $"{j.Owner.Name}: {j.Describe()}")];
            return (queue.Count, queue.Running, queue.Refused, lost);
        }
    }

    /// <summary>The cube has ended: threads go when nothing waits any more (files still get what was written to
    /// them).</summary>
    public void Close()
    {
        lock (_lock)
        {
            _closed = true;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>After <see cref="Close"/>: waits until all threads have gone. False: they take longer.</summary>
    public bool WaitForEnd(int mostMillis)
    {
        lock (_lock)
        {
            bool inTime = true;
            while (_live > 0 && inTime)
            {
                inTime = Monitor.Wait(_lock, mostMillis);
            }

            return _live == 0;
        }
    }

    private void StartThread()
    {
        // The border where work leaves a server's loop: only its state goes out and its result comes back.
#pragma warning disable RS0030
        new Thread(Work)
        {
            Name = $"camcube-{name}",
            IsBackground = true,
            Priority = isLow ? ThreadPriority.BelowNormal : ThreadPriority.Normal,
        }.Start();
#pragma warning restore RS0030
    }

    private void Work()
    {
        if (isLow && OperatingSystem.IsLinux())
        {
            LinuxThread.BeNice(LowNice);
        }

        while (TryNext() is { } job)
        {
            job.Run();
            Finish(job);
        }
    }

    // Null: the thread ends.
    private Job? TryNext()
    {
        lock (_lock)
        {
            for (; ; )
            {
                if (_live > Ceiling)
                {
                    _live--;
                    return null;
                }

                if (TakeReady() is { } job)
                {
                    job.Phase = JobPhase.Running;
                    job.Queue!.Running++;
                    return job;
                }

                if (_closed)
                {
                    _live--;
                    Monitor.PulseAll(_lock);
                    return null;
                }

                // Who wakes it takes it off the idle ones, so that two jobs do not count on the same thread.
                _idle++;
                Monitor.Wait(_lock);
            }
        }
    }

    private void Finish(Job job)
    {
        lock (_lock)
        {
            if (job.Phase == JobPhase.Lost)
            {
                _lost.Remove(job);
            }

            job.Phase = JobPhase.Idle;
            job.Queue!.Running--;
        }

        job.Owner.Inbox.Post(job);
    }

    // The server at the front gives one job and goes to the back.
    private Job? TakeReady()
    {
        while (_firstReady is { } queue)
        {
            _firstReady = queue.NextReady;
            _lastReady = _firstReady is null ? null : _lastReady;
            (queue.NextReady, queue.IsReady) = (null, false);
            if (queue.Count > 0)
            {
                Job job = queue.Take();
                if (queue.Count > 0)
                {
                    MarkReady(queue);
                }

                return job;
            }
        }

        return null;
    }

    private void MarkReady(WorkQueue queue)
    {
        if (queue.IsReady)
        {
            return;
        }

        queue.IsReady = true;
        if (_lastReady is null)
        {
            _firstReady = queue;
        }
        else
        {
            _lastReady.NextReady = queue;
        }

        _lastReady = queue;
    }
}
