using System.Runtime.CompilerServices;
using CamCube.Runtime.Async;

namespace CamCube.Runtime.Engine;

/// <summary>
/// Control work of one server: continuations, posted work, calls from outside. Here the synchronization context is installed and each item
/// has its own try, which the packet path cannot afford. Work of an instance that has ended still runs, so that those who wait for it learn
/// that it ended; what it throws is only counted.
/// </summary>
internal sealed class ControlLoop(ServerRuntime server)
{
    private readonly ControlQueue _queue = new();
    private readonly LoopContext _context = new(server, null);

    public int Count => _queue.Count;

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
    /// Runs what one instance still has here, bounded: when it ends. That may be in the middle of another service's callback, so the work of
    /// the others stays where it is, in order.
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
    public void Guard<T>(ServiceView view, T state, Action<ServiceView, T> call)
    {
        ControlScope outer = Enter(view);
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

    public void Run(ServiceView owner, Func<ValueTask> work)
    {
        ControlScope outer = Enter(owner);
        try
        {
            ValueTask task = work();
            if (task.IsCompleted)
            {
                task.GetAwaiter().GetResult();
                return;
            }

            ValueTaskAwaiter awaiter = task.GetAwaiter();
            awaiter.UnsafeOnCompleted(() => Ended(owner, awaiter));
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
    public ControlScope Enter(ServiceView? view)
    {
        var outer = new ControlScope(SynchronizationContext.Current, server.Running);
        SynchronizationContext.SetSynchronizationContext(view?.Context ?? _context);
        server.Running = view is { IsStopped: false } ? view.Slot.Index : -1;
        return outer;
    }

    public void Leave(in ControlScope outer)
    {
        server.Running = outer.Running;
        SynchronizationContext.SetSynchronizationContext(outer.Context);
    }

    private void Run(ControlQueue.Entry entry)
    {
        ControlScope outer = Enter(entry.Owner);
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
}
