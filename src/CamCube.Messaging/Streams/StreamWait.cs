using System.Threading.Tasks.Sources;

namespace CamCube.Messaging;

/// <summary>One waiter of one direction of a stream; used again and again. Loop only.</summary>
internal sealed class StreamWait : IValueTaskSource<bool>
{
    private ManualResetValueTaskSourceCore<bool> _core;

    public bool IsWaiting { get; private set; }

    /// <summary>Nobody waits, and nobody is about to be told.</summary>
    public bool IsFree { get; private set; } = true;

    /// <exception cref="InvalidOperationException">Somebody waits already.</exception>
    public ValueTask<bool> Start()
    {
        if (IsWaiting)
        {
            throw new InvalidOperationException("Somebody waits for this direction of the stream already.");
        }

        _core.Reset();
        (IsWaiting, IsFree) = (true, false);
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

    public bool GetResult(short token)
    {
        bool result = _core.GetResult(token);
        IsFree = true;
        return result;
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);
}
