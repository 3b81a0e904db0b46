using System.Threading.Tasks.Sources;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// The wait of one end of a body for the other, used again and again. It goes on where it began: in a server's loop by
/// the loop's own context, as all other input of the loop; elsewhere on a pool thread, never on the thread that ended
/// it. One wait at a time.
/// </summary>
/// <param name="take">Gives the result, where the wait goes on.</param>
internal sealed class BodyWait<T>(Func<T> take) : IBodyWait, IValueTaskSource<T>
{
    private static readonly SendOrPostCallback Ended = static wait => ((BodyWait<T>)wait!)._core.SetResult(true);
    private ManualResetValueTaskSourceCore<bool> _core;
    private SynchronizationContext? _context;

    /// <summary>What is to be awaited, once, after it has begun.</summary>
    public ValueTask<T> Task => new(this, _core.Version);

    /// <inheritdoc/>
    public void Begin()
    {
        _context = SynchronizationContext.Current;
        _core.RunContinuationsAsynchronously = _context is null;
    }

    /// <inheritdoc/>
    public void End()
    {
        if (_context is { } loop)
        {
            loop.Post(Ended, this);
        }
        else
        {
            _core.SetResult(true);
        }
    }

    T IValueTaskSource<T>.GetResult(short token)
    {
        _core.GetResult(token);
        _core.Reset();
        return take();
    }

    ValueTaskSourceStatus IValueTaskSource<T>.GetStatus(short token) => _core.GetStatus(token);

    // The context was taken when the wait began: the core's own way to it allocates for each wait.
    void IValueTaskSource<T>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags & ~ValueTaskSourceOnCompletedFlags.UseSchedulingContext);
}
