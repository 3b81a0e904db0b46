namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Places for tasks of one server, given in the order in which they are asked for. Loop only.</summary>
/// <param name="count">How many there are.</param>
internal sealed class TaskSlots(int count)
{
    private readonly LinkedList<StepSignal> _waiting = [];
    private int _free = count;

    /// <summary>Waits for a place. False: the caller was cancelled meanwhile, and has none.</summary>
    public async ValueTask<bool> TakeAsync(CancellationToken cancel)
    {
        if (cancel.IsCancellationRequested)
        {
            return false;
        }

        if (_free > 0)
        {
            _free--;
            return true;
        }

        var signal = new StepSignal();
        LinkedListNode<StepSignal> place = _waiting.AddLast(signal);
        using (cancel.UnsafeRegister(static s => ((StepSignal)s!).Set(), signal))
        {
            await signal.WaitAsync().ConfigureAwait(false);
        }

        // Who has got a place is in the list no more.
        if (place.List is not null)
        {
            _waiting.Remove(place);
            return false;
        }

        if (cancel.IsCancellationRequested)
        {
            Leave();
            return false;
        }

        return true;
    }

    /// <summary>Gives a place back.</summary>
    public void Leave()
    {
        if (_waiting.First is { } next)
        {
            _waiting.RemoveFirst();
            next.Value.Set();
        }
        else
        {
            _free++;
        }
    }
}
