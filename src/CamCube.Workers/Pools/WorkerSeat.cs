using System.Runtime.Versioning;

namespace CamCube.Workers;

/// <summary>A thread of a pool, and the worker that it has: started for its first job, replaced when it is
/// lost.</summary>
/// <param name="pool">The pool.</param>
/// <param name="name">The thread's name.</param>
internal sealed class WorkerSeat(ProcessPool pool, string name)
{
    private readonly Lock _gate = new();
    private WorkerProcess? _process;
    private bool _hasProcess;

    /// <summary>Whether there is a worker. Any thread.</summary>
    public bool HasProcess => Volatile.Read(ref _hasProcess);

    /// <summary>Begins. On Linux only.</summary>
    public void Start()
    {
#pragma warning disable RS0030 // The pool is the border: what waits for processes is no server.
        new Thread(Work) { Name = name, IsBackground = true }.Start();
#pragma warning restore RS0030
    }

    /// <summary>Kills the worker, if there is one. Any thread.</summary>
    public void Kill()
    {
        lock (_gate)
        {
            if (OperatingSystem.IsLinux())
            {
                _process?.Kill();
            }
        }
    }

    private void Work()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        while (pool.Take(this) is { } job)
        {
            WorkerResult result = DoOrFail(job.Job);
            pool.Leave(job);
            job.End(result);
        }

        Lose();
    }

    /// <summary>What a kind's own protocol or log throws costs the job and its worker, and nobody else.</summary>
    [SupportedOSPlatform("linux")]
    private WorkerResult DoOrFail(WorkerJob job)
    {
        try
        {
            return Do(job);
        }
        catch (Exception e)
        {
            Lose();
            return Ended(WorkerStatus.Rubbish, $"{pool.Kind.Name}: its protocol or log has thrown {e.GetType().Name}");
        }
    }

    [SupportedOSPlatform("linux")]
    private WorkerResult Do(WorkerJob job)
    {
        if (pool.IsKiller(job))
        {
            return Ended(WorkerStatus.KilledBefore, "the same killed a worker before");
        }

        if (_process is { } old && (old.IsWornOut || old.HasGoneWrong))
        {
            Lose();
        }

        if (_process is null && pool.Refusal is { } refusal)
        {
            return refusal;
        }

        if (_process is null && Begin() is { } failure)
        {
            pool.CouldNotBegin(failure);
            return failure;
        }

        Exchange exchange = _process!.Ask(job.Request);
        if (exchange.Status == WorkerStatus.Answered)
        {
            pool.Count(job, wasAnswered: true);
            return new WorkerResult(WorkerStatus.Answered, exchange.Frame, "");
        }

        Lose();
        if (pool.IsClosed)
        {
            return Ended(WorkerStatus.Stopped, "");
        }

        pool.Count(job, wasAnswered: false);
        pool.Kind.Log?.Invoke($"{pool.Kind.Name} worker lost: {exchange.Text}");
        return Ended(exchange.Status, exchange.Text);
    }

    /// <summary>Starts a worker.</summary>
    /// <returns>Why not; null if it is ready.</returns>
    [SupportedOSPlatform("linux")]
    private WorkerResult? Begin()
    {
        if (!File.Exists(pool.Kind.Program))
        {
            return Ended(WorkerStatus.Unavailable, $"{pool.Kind.Program} is not there.");
        }

        Exchange hello;
        try
        {
            WorkerProcess process = new(pool.Kind, pool.Time);
            lock (_gate)
            {
                (_process, _hasProcess) = (process, true);
            }

            hello = pool.IsClosed ? new Exchange(WorkerStatus.Died, [], "the pool is closed") : process.Greet();
        }
        catch (IOException e)
        {
            return Ended(WorkerStatus.Unavailable, e.Message);
        }

        if (hello.Status != WorkerStatus.Answered)
        {
            Lose();

            // A busy machine is not one without workers: there nothing would be looked at.
            return Ended(
                hello.Status == WorkerStatus.TimedOut ? WorkerStatus.Busy : WorkerStatus.Unavailable,
                hello.Text
            );
        }

        pool.Began(hello.Frame);
        return null;
    }

    [SupportedOSPlatform("linux")]
    private void Lose()
    {
        WorkerProcess? lost;
        lock (_gate)
        {
            (lost, _process, _hasProcess) = (_process, null, false);
        }

        lost?.Dispose();
    }

    private static WorkerResult Ended(WorkerStatus status, string text) => new(status, default, text);
}
