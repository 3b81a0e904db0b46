using System.Threading.Tasks.Sources;
using CamCube.Runtime.Loop;

namespace CamCube.Runtime.Workers;

/// <summary>
/// A job with a result that is awaited on the loop (<see cref="LoopWait{T}"/>). It goes back to its pool when the
/// result was taken and no worker has it any more, whichever is later.
/// </summary>
internal abstract class AwaitedJob<T>(IWorkOwner owner) : Job(owner), IValueTaskSource<T>
{
    private LoopWait<T> _wait;
    private bool _isTaken;

    public override bool IsPending => _wait.IsPending;

    /// <summary>Somebody waits for it from now on.</summary>
    protected ValueTask<T> Open()
    {
        _isTaken = false;
        Owner.Jobs.Add(this);
        return _wait.Open(this);
    }

    /// <summary>Nobody has waited yet, and nobody shall: the caller gets another answer.</summary>
    protected void Withdraw()
    {
        Owner.Jobs.Remove(this);
        _wait.Withdraw();
        Recycle();
    }

    /// <summary>Ends the wait. The first end counts.</summary>
    public void End(T result)
    {
        if (_wait.IsPending)
        {
            Owner.Jobs.Remove(this);
            _wait.TryEnd(Owner, result);
        }
    }

    T IValueTaskSource<T>.GetResult(short token)
    {
        T result = _wait.Take(token);
        _isTaken = true;
        TryRecycle();
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<T>.GetStatus(short token) => _wait.Status(token);

    void IValueTaskSource<T>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _wait.ContinueWith(Owner, continuation, state, token);

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
}
