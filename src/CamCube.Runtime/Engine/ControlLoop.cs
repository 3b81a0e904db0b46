using System.Runtime.CompilerServices;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Engine;

/// <summary>
/// Control work of one server: continuations, posted work, calls from outside. Here the synchronization context is
/// installed and each item has its own try, which the packet path cannot afford. Work of an instance that has ended
/// still runs, so that those who wait for it learn that it ended; what it throws is only counted.
/// </summary>
internal sealed class ControlLoop(ServerRuntime server)
{
    private readonly ControlQueue _queue = new();
    private readonly LoopContext _context = new(server, null);
    private readonly Stack<Running> _pool = new();

    public int Count => _queue.Count;

    /// <summary>Pieces of work begun so far: tells one from the next.</summary>
    public long Begun { get; private set; }

    /// <summary>What of the running service is called; packets unless control work says something else.</summary>
    public CallbackKind Callback { get; private set; }

    public void Post(ServiceView? owner, Action<object?> work, object? state)
    {
        _queue.Add(owner, work, state);
        server.Defer();
    }

    public int Drain(int most)
    {
        int n = 0;
        while (n < most && _queue.Count > 0)
        {
            Run(_queue.Take());
            n++;
        }

        return n;
    }

    /// <summary>
    /// Runs what one instance still has here, bounded: when it ends. That may be in the middle of another service's
    /// callback, so the work of the others stays where it is, in order.
    /// </summary>
    public void DrainOwned(ServiceView view)
    {
        const int MostRounds = 64;
        var own = new List<ControlQueue.Entry>();
        for (int round = 0; round < MostRounds; round++)
        {
            own.Clear();
            for (int i = _queue.Count; i > 0; i--)
            {
                ControlQueue.Entry entry = _queue.Take();
                if (entry.Owner == view)
                {
                    own.Add(entry);
                }
                else
                {
                    _queue.Add(entry.Owner, entry.Work, entry.State);
                }
            }

            if (own.Count == 0)
            {
                return;
            }

            own.ForEach(Run);
        }
    }

    /// <summary>Runs a callback of a service that may throw: start, stop, timers, topology changes.</summary>
    public void Guard<T>(ServiceView view, CallbackKind callback, T state, Action<ServiceView, T> call)
    {
        ControlScope outer = Enter(view, callback);
        try
        {
            call(view, state);
        }
        catch (Exception e)
        {
            Failed(view, e);
        }
        finally
        {
            Leave(outer);
        }
    }

    public void Run(ServiceView owner, CallbackKind callback, Func<ValueTask> work)
    {
        ControlScope outer = Enter(owner, callback);
        try
        {
            ValueTask task = work();
            if (task.IsCompleted)
            {
                task.GetAwaiter().GetResult();
                return;
            }

            Running running = _pool.TryPop(out Running? pooled) ? pooled : new Running(this);
            running.Wait(owner, task.GetAwaiter());
        }
        catch (Exception e)
        {
            Failed(owner, e);
        }
        finally
        {
            Leave(outer);
        }
    }

    /// <summary>Control work begins. What it returns goes to <see cref="Leave"/>.</summary>
    public ControlScope Enter(ServiceView? view, CallbackKind callback)
    {
        var outer = new ControlScope(SynchronizationContext.Current, server.Running, Callback);
        SynchronizationContext.SetSynchronizationContext(view?.Context ?? _context);
        server.Running = view is { IsStopped: false } ? view.Slot.Index : -1;
        Begin(callback);
        return outer;
    }

    public void Leave(in ControlScope outer)
    {
        server.Running = outer.Running;
        Callback = outer.Callback;
        SynchronizationContext.SetSynchronizationContext(outer.Context);
    }

    /// <summary>Within a piece of work another callback begins, or one of a thread that came in by itself.</summary>
    public void Begin(CallbackKind callback)
    {
        Callback = callback;
        Begun++;
    }

    private void Run(ControlQueue.Entry entry)
    {
        ControlScope outer = Enter(entry.Owner, CallbackKind.Work);
        try
        {
            entry.Work(entry.State);
        }
        catch (Exception e)
        {
            Failed(entry.Owner, e);
        }
        finally
        {
            Leave(outer);
        }
    }

    private void Ended(ServiceView owner, ValueTaskAwaiter awaiter)
    {
        try
        {
            awaiter.GetResult();
        }
        catch (Exception e)
        {
            server.FaultOf(owner, e);
        }
    }

    private void Failed(ServiceView? owner, Exception e)
    {
        if (owner is { IsStopped: false })
        {
            server.Fault(owner.Slot, e);
        }
        else
        {
            server.Counters.LateFaults++;
        }
    }

    /// <summary>One method that was started and waits; used again, since some services start one for each
    /// batch.</summary>
    private sealed class Running
    {
        private const int MostPooled = 64;
        private readonly ControlLoop _loop;
        private readonly Action _ended;
        private ServiceView? _owner;
        private ValueTaskAwaiter _awaiter;

        public Running(ControlLoop loop) => (_loop, _ended) = (loop, Ended);

        public void Wait(ServiceView owner, ValueTaskAwaiter awaiter)
        {
            (_owner, _awaiter) = (owner, awaiter);
            awaiter.UnsafeOnCompleted(_ended);
        }

        private void Ended()
        {
            (ServiceView owner, ValueTaskAwaiter awaiter) = (_owner!, _awaiter);
            (_owner, _awaiter) = (null, default);
            if (_loop._pool.Count < MostPooled)
            {
                _loop._pool.Push(this);
            }

            _loop.Ended(owner, awaiter);
        }
    }
}
