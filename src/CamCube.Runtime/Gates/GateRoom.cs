namespace CamCube.Runtime.Gates;

/// <summary>
/// The places of a gate's calls, first come, first served. In virtual time who waits goes on where a place is given up,
/// at once: on a pool thread it would come at any time, and virtual time runs on meanwhile. Elsewhere any thread.
/// </summary>
internal sealed class GateRoom(int limit, bool isVirtual)
{
    // Never disposed: it holds nothing of the system's, and callers that come after the end are to learn that, not to
    // meet a dead lock.
    private readonly SemaphoreSlim _places = new(limit, limit);
    private readonly Queue<TaskCompletionSource> _waiting = new();

    /// <summary>Takes a place if one is free.</summary>
    public bool TryEnter() => _places.Wait(0);

    /// <summary>Waits for a place.</summary>
    /// <exception cref="OperationCanceledException">Cancelled before.</exception>
    public async ValueTask EnterAsync(CancellationToken cancel = default)
    {
        cancel.ThrowIfCancellationRequested();
        if (!isVirtual)
        {
            await _places.WaitAsync(cancel).ConfigureAwait(false);
            return;
        }

        if (_places.Wait(0, CancellationToken.None))
        {
            return;
        }

        var place = new TaskCompletionSource();
        _waiting.Enqueue(place);
        using CancellationTokenRegistration gone = cancel.UnsafeRegister(
            static state => InPlace((TaskCompletionSource)state!, static place => place.TrySetCanceled()),
            place
        );
        await place.Task.ConfigureAwait(false);
    }

    /// <summary>Gives a place up: to who waits longest.</summary>
    public void Leave()
    {
        while (_waiting.TryDequeue(out TaskCompletionSource? next))
        {
            if (InPlace(next, static place => place.TrySetResult()))
            {
                return;
            }
        }

        _places.Release();
    }

    // Under a service's context the waiter would be continued on the pool.
    private static bool InPlace(TaskCompletionSource place, Func<TaskCompletionSource, bool> end)
    {
        SynchronizationContext? context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            return end(place);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }
    }
}
