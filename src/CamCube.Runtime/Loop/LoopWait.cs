using System.Threading.Tasks.Sources;

namespace CamCube.Runtime.Loop;

/// <summary>
/// The state of one wait that ends on its service's own loop, whatever context was captured: for objects that are used
/// again. A struct, mutable, in its owner only. Loop only.
/// </summary>
internal struct LoopWait<T>
{
    private short _token;
    private bool _isDone;
    private T _result;
    private Action<object?>? _continuation;
    private object? _state;

    /// <summary>Somebody waits, and it has not ended.</summary>
    public bool IsPending { get; private set; }

    /// <summary>Begins.</summary>
    /// <param name="source">The object whose state it is.</param>
    public ValueTask<T> Open(IValueTaskSource<T> source)
    {
        (_isDone, _continuation, IsPending) = (false, null, true);
        return new ValueTask<T>(source, ++_token);
    }

    /// <summary>Nobody has awaited it yet, and nobody shall.</summary>
    public void Withdraw() => IsPending = false;

    /// <summary>Ends it. False: it had ended before; the first end counts.</summary>
    public bool TryEnd(ILoopOwner owner, T result)
    {
        if (!IsPending)
        {
            return false;
        }

        (IsPending, _isDone, _result) = (false, true, result);
        if (_continuation is { } continuation)
        {
            _continuation = null;
            owner.Post(continuation, _state);
        }

        return true;
    }

    /// <summary>Takes the result, once: afterwards it may begin anew.</summary>
    public T Take(short token)
    {
        Check(token, isResult: true);
        T result = _result;
        (_isDone, _result, _state) = (false, default!, null);
        _token++;
        return result;
    }

    /// <summary>Whether there is a result.</summary>
    public readonly ValueTaskSourceStatus Status(short token)
    {
        Check(token, isResult: false);
        return _isDone ? ValueTaskSourceStatus.Succeeded : ValueTaskSourceStatus.Pending;
    }

    /// <summary>What goes on when there is.</summary>
    public void ContinueWith(ILoopOwner owner, Action<object?> continuation, object? state, short token)
    {
        Check(token, isResult: false);
        (_continuation, _state) = (continuation, state);
        if (_isDone)
        {
            _continuation = null;
            owner.Post(continuation, state);
        }
    }

    // A token of an earlier use must not meet the next one, which is somebody else's.
    private readonly void Check(short token, bool isResult)
    {
        if (token != _token || (isResult && !_isDone))
        {
            throw new InvalidOperationException("A wait of the server was awaited twice or too early.");
        }
    }
}
