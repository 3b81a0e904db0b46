namespace CamCube.Simulator.Engine;

/// <summary>
/// Runs the partitions of a cube side by side: the caller's thread runs the first, threads of this object the others.
/// All go through the same windows and meet after each; the next window's begin is computed by everyone from what
/// everyone knows.
/// </summary>
internal sealed class SweepThreads : IDisposable
{
    private readonly SweepPartition[] _partitions;
    private readonly long _window;
    private readonly Thread[] _threads;
    private readonly SemaphoreSlim[] _go;
    private readonly CountdownEvent _done;
    private WindowBarrier _barrier;
    private (long Now, long Until, long Floor) _run;
    private Exception? _failure;
    private volatile bool _stop;

    public SweepThreads(SweepPartition[] partitions, long window)
    {
        (_partitions, _window) = (partitions, window);
        _barrier = new WindowBarrier(partitions.Length);
        _done = new CountdownEvent(partitions.Length - 1);
        _threads = new Thread[partitions.Length - 1];
        _go = [.. _threads.Select(_ => new SemaphoreSlim(0))];
        for (int i = 0; i < _threads.Length; i++)
        {
            int number = i + 1;
#pragma warning disable RS0030 // The border where a simulation gets its threads; nothing inside a server makes one.
            _threads[i] = new Thread(() => Loop(number)) { Name = $"camcube sweep {number}", IsBackground = true };
#pragma warning restore RS0030
            _threads[i].Start();
        }
    }

    /// <summary>Runs all partitions up to and including a time.</summary>
    public void Run(long now, long until, long floor)
    {
        _run = (now, until, floor);
        _barrier = new WindowBarrier(_partitions.Length);
        _done.Reset();
        Go();
        Work(0);
        _done.Wait();
        if (_failure is { } failure)
        {
            _failure = null;
            throw new InvalidOperationException("A thread of the simulation failed.", failure);
        }
    }

    public void Dispose()
    {
        _stop = true;
        Go();
        foreach (Thread thread in _threads)
        {
            thread.Join();
        }

        Array.ForEach(_go, go => go.Dispose());
        _done.Dispose();
    }

    private void Go() => Array.ForEach(_go, go => go.Release());

    private void Loop(int number)
    {
        for (; ; )
        {
            _go[number - 1].Wait();
            if (_stop)
            {
                return;
            }

            Work(number);
            _done.Signal();
        }
    }

    // The runtime's own errors end the run on all threads; Run throws them to the caller.
    private void Work(int number)
    {
        WindowBarrier barrier = _barrier;
        try
        {
            Sweep(_partitions[number], number, barrier);
        }
        catch (Exception e)
        {
            Interlocked.CompareExchange(ref _failure, e, null);
            barrier.Break();
        }
    }

    private void Sweep(SweepPartition partition, int number, WindowBarrier barrier)
    {
        partition.Context.LoopThread = Environment.CurrentManagedThreadId;
        (long now, long until, long floor) = _run;
        int half = 0;
        for (long round = 1; now <= until; round++)
        {
            long end = Math.Min(now + _window, until + 1);
            if (!barrier.Meet(number, round, partition.Sweep(now, end, floor, half), out long least))
            {
                return;
            }

            now = Math.Max(end, Math.Min(least, until + 1));
            half ^= 1;
        }

        partition.TakeMail(half ^ 1);
    }
}
