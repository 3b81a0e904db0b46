namespace CamCube.Runtime.Hosts;

/// <summary>What others learn of a loop's life: that it has started, that it has ended, and whether an error broke it
/// off. The loop's thread tells; any thread waits.</summary>
internal sealed class LoopLife
{
    private readonly TaskCompletionSource _started = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when the loop has started; fails with what prevented that; canceled if it ended
    /// before.</summary>
    public Task Started => _started.Task;

    /// <summary>Completes when the loop has ended; fails with the error that broke off a loop that had
    /// started.</summary>
    public Task Ended => _ended.Task;

    /// <summary>The loop runs.</summary>
    public void Begin() => _started.TrySetResult();

    /// <summary>Takes all steps of the end, whatever one of them throws, and tells afterwards: whoever waits for the
    /// end may open the same things again at once.</summary>
    /// <param name="fault">What broke the loop off, or null. Else the first error of a step counts as that.</param>
    /// <param name="steps">What the loop still has to do, in order.</param>
    public void End(Exception? fault, params ReadOnlySpan<Action> steps)
    {
        foreach (Action step in steps)
        {
            try
            {
                step();
            }
            catch (Exception e)
            {
                fault ??= e;
            }
        }

        if (fault is null)
        {
            _started.TrySetCanceled();
            _ended.SetResult();
        }
        else if (_started.TrySetException(fault))
        {
            _ended.SetResult();
        }
        else
        {
            // The runtime's own error, which is nobody's to contain: the host hears of it at once.
            _ended.SetException(fault);
        }
    }
}
