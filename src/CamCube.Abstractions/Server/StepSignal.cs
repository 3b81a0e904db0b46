using System.Threading.Tasks.Sources;

namespace CamCube;

/// <summary>
/// Wakes the one who waits for it, at once and within the call; remembers one call that nobody waited for. Allocates
/// nothing, so that what is done for every piece is one method that goes on, and no new one each time. Loop only.
/// </summary>
public sealed class StepSignal : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core;
    private bool _isSet;
    private bool _isAwaited;

    /// <summary>Waits for the next call of <see cref="Set"/>; to be awaited at once, without the context.</summary>
    public ValueTask WaitAsync()
    {
        if (_isSet)
        {
            _isSet = false;
            return default;
        }

        _core.Reset();
        _isAwaited = true;
        return new ValueTask(this, _core.Version);
    }

    /// <summary>There is something to do.</summary>
    public void Set()
    {
        if (_isAwaited)
        {
            _isAwaited = false;
            _core.SetResult(true);
        }
        else
        {
            _isSet = true;
        }
    }

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);
}
