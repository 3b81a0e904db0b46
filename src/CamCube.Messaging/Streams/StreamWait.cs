using System.Threading.Tasks.Sources;

namespace CamCube.Messaging;

/// <summary>One waiter of one direction of a stream; used again and again. Loop only.</summary>
internal sealed class StreamWait : IValueTaskSource<bool>
{
    private ManualResetValueTaskSourceCore<bool> _core;

    public bool IsWaiting { get; private set; }

    /// <exception cref="InvalidOperationException">Somebody waits already.</exception>
    public ValueTask<bool> Start()
    {
        if (IsWaiting)
        {
            throw new InvalidOperationException("Somebody waits for this direction of the stream already.");
        }

        _core.Reset();
        IsWaiting = true;
        return new ValueTask<bool>(this, _core.Version);
    }

    /// <summary>Goes on with who waits, if anybody does.</summary>
    public void Complete(bool result)
    {
        if (IsWaiting)
        {
            IsWaiting = false;
            _core.SetResult(result);
        }
    }

    public bool GetResult(short token) => _core.GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);
}
