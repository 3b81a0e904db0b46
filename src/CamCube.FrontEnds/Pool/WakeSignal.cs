using System.Threading.Tasks.Sources;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Pool;

/// <summary>
/// What one connection's loop waits on: set by a read or a command that ended, on any thread; waited on by the loop
/// alone. Several sets before a wait are one. The waiter runs on the thread that sets. Allocates nothing after
/// construction.
/// </summary>
/// <param name="connection">Whose it is; null in tests of its own.</param>
internal sealed class WakeSignal(IConnection? connection = null) : IValueTaskSource, IQuestionOwner
{
    private const int Clear = 0;
    private const int IsSet = 1;
    private const int IsAwaited = 2;

    private ManualResetValueTaskSourceCore<bool> _core;
    private int _state;

    /// <summary>Wakes the waiter, or lets the next wait pass.</summary>
    public void Set()
    {
        while (true)
        {
            int state = Volatile.Read(ref _state);
            if (state == IsSet)
            {
                return;
            }

            int next = state == IsAwaited ? Clear : IsSet;
            if (Interlocked.CompareExchange(ref _state, next, state) != state)
            {
                continue;
            }

            if (state == IsAwaited)
            {
                _core.SetResult(true);
            }

            return;
        }
    }

    /// <summary>Ends at the next set, or at once if there was one since the last wait. One waiter.</summary>
    public ValueTask WaitAsync()
    {
        if (Interlocked.CompareExchange(ref _state, Clear, IsSet) == IsSet)
        {
            return ValueTask.CompletedTask;
        }

        // Before the state says so nobody completes the core, so it is reset in peace.
        _core.Reset();
        if (Interlocked.CompareExchange(ref _state, IsAwaited, Clear) == Clear)
        {
            return new ValueTask(this, _core.Version);
        }

        Volatile.Write(ref _state, Clear);
        return ValueTask.CompletedTask;
    }

    void IQuestionOwner.QuestionEnded() => Set();

    ConnectionFacts IQuestionOwner.Describe() => connection?.Describe() ?? default;

    void IQuestionOwner.Abort() => connection?.Abort();

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);
}
