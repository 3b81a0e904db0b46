using System.Threading.Tasks.Sources;
using CamCube.Runtime.Engine;

namespace CamCube.Runtime.Async;

/// <summary>
/// A pooled wait of one service that ends on its own loop: its continuation is queued there, whatever context was captured. The pool gets
/// it back when the result is taken. Loop only.
/// </summary>
internal sealed class LoopCompletion<T>(ServiceView owner, Stack<LoopCompletion<T>> pool) : IValueTaskSource<T>
{
    private short _token;
    private bool _done;
    private T _result = default!;
    private Action<object?>? _continuation;
    private object? _state;

    /// <summary>For waits that end by a timer.</summary>
    public LoopTimer? Timer { get; set; }

    /// <summary>For waits that are served in order of asking, over all services of a server.</summary>
    public long Order { get; set; }

    /// <summary>For waits that ask for an amount.</summary>
    public int Amount { get; set; }

    public bool IsPending { get; private set; }

    public ValueTask<T> Start()
    {
        (_done, _continuation, IsPending) = (false, null, true);
        return new ValueTask<T>(this, ++_token);
    }

    public void Complete(T result)
    {
        if (!IsPending)
        {
            return;
        }

        (IsPending, _done, _result) = (false, true, result);
        if (_continuation is { } continuation)
        {
            _continuation = null;
            owner.Post(continuation, _state);
        }
    }

    T IValueTaskSource<T>.GetResult(short token)
    {
        Check(token, isResult: true);
        T result = _result;
        (_done, _result, _state) = (false, default!, null);
        _token++;
        pool.Push(this);
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<T>.GetStatus(short token)
    {
        Check(token, isResult: false);
        return _done ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;
    }

    void IValueTaskSource<T>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        Check(token, isResult: false);
        (_continuation, _state) = (continuation, state);
        if (_done)
        {
            _continuation = null;
            owner.Post(continuation, state);
        }
    }

    // A token of an earlier use must not meet the next one, which is somebody else's.
    private void Check(short token, bool isResult)
    {
        if (token != _token || (isResult && !_done))
        {
            throw new InvalidOperationException("A wait of the server was awaited twice or too early.");
        }
    }
}
