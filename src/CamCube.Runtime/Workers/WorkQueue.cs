namespace CamCube.Runtime.Workers;

/// <summary>What one server has waiting in one lane, in order. Under the lane's lock.</summary>
internal sealed class WorkQueue(WorkLane lane, int limit)
{
    private Job? _first;
    private Job? _last;

    public WorkLane Lane => lane;

    public int Limit => limit;

    public int Count { get; private set; }

    public int Running { get; set; }

    /// <summary>Jobs that were refused.</summary>
    public long Refused { get; set; }

    /// <summary>The server whose turn is after this one's.</summary>
    public WorkQueue? NextReady { get; set; }

    /// <summary>It stands in the round of those that have something.</summary>
    public bool IsReady { get; set; }

    public void Add(Job job)
    {
        (job.Queue, job.Before, job.After) = (this, _last, null);
        if (_last is null)
        {
            _first = job;
        }
        else
        {
            _last.After = job;
        }

        _last = job;
        Count++;
    }

    public Job Take()
    {
        Job job = _first!;
        Remove(job);
        return job;
    }

    public void Remove(Job job)
    {
        if (job.Before is null)
        {
            _first = job.After;
        }
        else
        {
            job.Before.After = job.After;
        }

        if (job.After is null)
        {
            _last = job.Before;
        }
        else
        {
            job.After.Before = job.Before;
        }

        (job.Before, job.After) = (null, null);
        Count--;
    }
}
