namespace CamCube.Runtime.Hosts;

/// <summary>A loop's thread, and what others learn of its life: that it has started, that it has ended, and whether an
/// error broke it off. The loop's thread tells; any thread waits.</summary>
internal sealed class LoopLife
{
    private readonly TaskCompletionSource _started = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private Thread? _thread;

    /// <summary>Whether the thread was started.</summary>
    public bool HasThread => _thread is not null;

    /// <summary>Completes when the loop has ended; fails with the error that broke off a loop that had
    /// started.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Starts the thread. Completes when the loop has started; fails with what prevented that; canceled if it
    /// ended before.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="loop">What runs in it: it tells <see cref="Begin"/>, and <see cref="End"/> at last.</param>
    /// <param name="cancel">Ends the wait, not the loop.</param>
    public async ValueTask StartAsync(string name, ThreadStart loop, CancellationToken cancel)
    {
#pragma warning disable RS0030 // This is the border where servers get their thread; nothing inside a server makes one.
        _thread = new Thread(loop) { Name = name, IsBackground = true };
#pragma warning restore RS0030
        _thread.Start();
        await _started.Task.WaitAsync(cancel).ConfigureAwait(false);
    }

    /// <summary>Completes when a loop that was asked to end has ended, however it did; at once if there is
    /// none.</summary>
    /// <param name="ask">Asks it.</param>
    /// <param name="cancel">Ends the wait.</param>
    public async ValueTask StopAsync(Action ask, CancellationToken cancel)
    {
        if (_thread is not null && !Ended.IsCompleted)
        {
            ask();
            await Task.WhenAny(Ended).WaitAsync(cancel).ConfigureAwait(false);
        }
    }

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
