using System.Threading.Tasks.Sources;

namespace CamCube.Runtime.Loop;

/// <summary>A pooled wait of one service (<see cref="LoopWait{T}"/>). The pool gets it back when the result is taken.
/// Loop only.</summary>
internal sealed class LoopCompletion<T>(ILoopOwner owner, Stack<LoopCompletion<T>> pool) : IValueTaskSource<T>
{
    private LoopWait<T> _wait;

    /// <summary>For waits that end by a timer.</summary>
    public ServerTimer? Timer { get; set; }

    /// <summary>For waits that are served in order of asking, over all services of a server.</summary>
    public long Order { get; set; }

    /// <summary>For waits that ask for an amount.</summary>
    public int Amount { get; set; }

    public bool IsPending => _wait.IsPending;

    public ValueTask<T> Start() => _wait.Open(this);

    public void Complete(T result) => _wait.TryEnd(owner, result);

    T IValueTaskSource<T>.GetResult(short token)
    {
        T result = _wait.Take(token);
        pool.Push(this);
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<T>.GetStatus(short token) => _wait.Status(token);

    void IValueTaskSource<T>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _wait.ContinueWith(owner, continuation, state, token);
}
