using System.Threading.Tasks.Sources;

namespace CamCube.Services.Messenger.Waiting;

/// <summary>One waiter; used again and again. It goes on after the present callback, and nothing is allocated. Loop
/// only.</summary>
/// <param name="server">The messenger's server.</param>
/// <param name="taken">Called when the result was taken: whoever owns the wait may use it for somebody else.</param>
/// <typeparam name="T">What it waits for.</typeparam>
internal sealed class LoopWait<T>(IServer server, Action? taken = null) : IValueTaskSource<T>
{
    private Action<object?>? _continuation;
    private object? _state;
    private short _token;
    private T _result = default!;

    public bool IsWaiting { get; private set; }

    /// <exception cref="InvalidOperationException">Somebody waits already.</exception>
    public ValueTask<T> Start()
    {
        if (IsWaiting)
        {
            throw new InvalidOperationException("Somebody waits here already: one waiter at a time.");
        }

        (IsWaiting, _continuation) = (true, null);
        return new ValueTask<T>(this, ++_token);
    }

    /// <summary>Goes on with who waits, if anybody does.</summary>
    public void Complete(T result)
    {
        if (!IsWaiting)
        {
            return;
        }

        (IsWaiting, _result) = (false, result);
        if (_continuation is { } continuation)
        {
            _continuation = null;
            server.Loop.Post(continuation, _state);
        }
    }

    public T GetResult(short token)
    {
        if (token != _token || IsWaiting)
        {
            throw new InvalidOperationException("A wait was awaited twice.");
        }

        T result = _result;
        _result = default!;
        taken?.Invoke();
        return result;
    }

    public ValueTaskSourceStatus GetStatus(short token) =>
        IsWaiting ? ValueTaskSourceStatus.Pending : ValueTaskSourceStatus.Succeeded;

    public void OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    )
    {
        if (IsWaiting)
        {
            (_continuation, _state) = (continuation, state);
        }
        else
        {
            server.Loop.Post(continuation, state);
        }
    }
}
