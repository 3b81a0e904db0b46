using CamCube.Runtime.Cubes;

namespace CamCube.Runtime.Workers;

/// <summary>What one run of a server has with the worker threads. Loop only, except <see cref="Read"/>.</summary>
internal sealed class ServerWork
{
    private readonly int _rank;
    private readonly WorkQueue[] _queues;
    private readonly int[] _simulated = new int[2];
    private readonly int[] _simulatedLimits;

    /// <param name="rank">The server.</param>
    /// <param name="options">Bounds of what may be open.</param>
    /// <param name="workers">The process's threads; null in virtual time.</param>
    public ServerWork(int rank, WorkOptions options, WorkerPool? workers)
    {
        _rank = rank;
        _simulatedLimits = [options.ShortLimit, options.LongLimit];
        _queues = workers?.MakeQueues() ?? [];
    }

    /// <summary>Gives a job to the threads of its class. False: too many of them wait for this server
    /// already.</summary>
    public bool TryAdd(WorkClass kind, Job job)
    {
        WorkQueue queue = _queues[(int)kind];
        return queue.Lane.TryAdd(queue, job);
    }

    /// <summary>See <see cref="WorkLane.TryTakeOut"/>.</summary>
    public bool TryTakeOut(WorkClass kind, Job job, out int lost) => _queues[(int)kind].Lane.TryTakeOut(job, out lost);

    /// <summary>In virtual time: one more is open. False: as many are as may wait.</summary>
    public bool TryBeginSimulated(OffloadClass kind)
    {
        if (_simulated[(int)kind] >= _simulatedLimits[(int)kind])
        {
            return false;
        }

        _simulated[(int)kind]++;
        return true;
    }

    public void EndSimulated(OffloadClass kind) => _simulated[(int)kind]--;

    /// <summary>Any thread.</summary>
    public IReadOnlyList<WorkStatus> Read() =>
        [
            .. _queues.Select(queue =>
            {
                (int waiting, int running, long refused, string[] lost) = queue.Lane.Look(queue, _rank);
                return new WorkStatus(queue.Lane.Name, waiting, running, queue.Limit, refused, lost);
            }),
        ];
}
