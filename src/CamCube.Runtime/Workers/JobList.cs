namespace CamCube.Runtime.Workers;

/// <summary>What one instance of a service waits for, newest first; and its pools of jobs. Loop only.</summary>
internal sealed class JobList
{
    private readonly Dictionary<Type, object> _pools = [];
    private Job? _newest;

    /// <summary>Jobs of a kind that are not in use.</summary>
    public Stack<TJob> PoolOf<TJob>()
        where TJob : Job
    {
        if (!_pools.TryGetValue(typeof(TJob), out object? pool))
        {
            _pools[typeof(TJob)] = pool = new Stack<TJob>();
        }

        return (Stack<TJob>)pool;
    }

    public void Add(Job job)
    {
        job.Older = _newest;
        _newest?.Newer = job;
        _newest = job;
    }

    public void Remove(Job job)
    {
        if (job.Newer is null)
        {
            _newest = job.Older;
        }
        else
        {
            job.Newer.Older = job.Older;
        }

        job.Older?.Newer = job.Newer;
        (job.Newer, job.Older) = (null, null);
    }

    /// <summary>The instance ends.</summary>
    public void StopAll()
    {
        while (_newest is { } job)
        {
            job.Stop();
        }
    }
}
