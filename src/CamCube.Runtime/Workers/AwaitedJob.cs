using System.Threading.Tasks.Sources;
using CamCube.Runtime.Engine;

namespace CamCube.Runtime.Workers;

/// <summary>
/// A job with a result that is awaited on the loop, as <see cref="Async.LoopCompletion{T}"/> is. It goes back to its pool when the result was taken
/// and no worker has it any more, whichever is later.
/// </summary>
internal abstract class AwaitedJob<T>(ServiceView owner) : Job(owner), IValueTaskSource<T>
{
    private short _token;
    private bool _isDone;
    private bool _isTaken;
    private T _result = default!;
    private Action<object?>? _continuation;
    private object? _state;

    /// <summary>Somebody waits for it from now on.</summary>
    protected ValueTask<T> Open()
    {
        (_isDone, _isTaken, _continuation, IsPending) = (false, false, null, true);
        Owner.Jobs.Add(this);
        return new ValueTask<T>(this, ++_token);
    }

    /// <summary>Nobody has waited yet, and nobody shall: the caller gets another answer.</summary>
    protected void Withdraw()
    {
        Owner.Jobs.Remove(this);
        IsPending = false;
        Recycle();
    }

    /// <summary>Ends the wait. The first end counts.</summary>
    public void End(T result)
    {
        if (!IsPending)
        {
            return;
        }

        Owner.Jobs.Remove(this);
        (IsPending, _isDone, _result) = (false, true, result);
        if (_continuation is { } continuation)
        {
            _continuation = null;
            Owner.Post(continuation, _state);
        }
    }

    T IValueTaskSource<T>.GetResult(short token)
    {
        Check(token, isResult: true);
        T result = _result;
        (_isDone, _result, _state, _isTaken) = (false, default!, null, true);
        _token++;
        TryRecycle();
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<T>.GetStatus(short token)
    {
        Check(token, isResult: false);
        return _isDone ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;
    }

    void IValueTaskSource<T>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        Check(token, isResult: false);
        (_continuation, _state) = (continuation, state);
        if (_isDone)
        {
            _continuation = null;
            Owner.Post(continuation, state);
        }
    }

    /// <summary>Forgets what it had and goes to its pool.</summary>
    protected abstract void Recycle();

    /// <summary>On the loop, when no worker has it any more.</summary>
    protected void TryRecycle()
    {
        if (_isTaken && !IsWithLane && !Owner.IsStopped)
        {
            _isTaken = false;
            Recycle();
        }
    }

    // A token of an earlier use must not meet the next one, which is somebody else's.
    private void Check(short token, bool isResult)
    {
        if (token != _token || (isResult && !_isDone))
        {
            throw new InvalidOperationException("A wait of the server was awaited twice or too early.");
        }
    }
}
