using System.Threading.Tasks.Sources;

namespace CamCube;

/// <summary>
/// One open question of a <see cref="ReplyTable{T}"/>. Await <see cref="WaitAsync"/> as often as wanted (a quorum, then
/// stragglers), one awaiter at a time. Loop only.
/// </summary>
/// <typeparam name="T">A reply.</typeparam>
public sealed class Replies<T> : IValueTaskSource<WaitResult>, IDisposable
{
    private const uint GenerationMask = 0xFF_FFFF;
    private readonly ReplyTable<T> _table;
    private readonly IServer _server;
    private readonly ServerTimer _timer;
    private readonly ulong _incarnation;
    private readonly uint _slot;
    private readonly T[] _replies;
    private uint _generation;
    private int _needed;
    private short _token;
    private bool _waiting;
    private WaitResult _result;
    private Action<object?>? _continuation;
    private object? _state;
    private CancellationTokenRegistration _stopping;
    private CancellationTokenRegistration _cancel;

    internal Replies(ReplyTable<T> table, IServer server, ulong incarnation, uint slot, int maxReplies)
    {
        (_table, _server, _incarnation, _slot, _replies) = (table, server, incarnation, slot, new T[maxReplies]);
        _timer = server.CreateTimer(() => Finish(WaitResult.TimedOut));
        _stopping = server.Stopping.Register(static s => ((Replies<T>)s!).Finish(WaitResult.Stopped), this);
    }

    /// <summary>The id to put into the question's packets; never 0.</summary>
    public ulong Id => _incarnation | ((ulong)_generation << 16) | _slot;

    /// <summary>Replies so far.</summary>
    public int Count { get; private set; }

    internal bool IsOpen { get; private set; }

    /// <summary>A reply, in order of arrival.</summary>
    public ref readonly T this[int i] => ref _replies[i];

    /// <summary>Takes a reply over, with what it owns.</summary>
    public T Take(int i)
    {
        T reply = _replies[i];
        _replies[i] = default!;
        return reply;
    }

    /// <summary>Completes when this many replies are there, the time is over, or the service stops. Pooled: await at
    /// once and once.</summary>
    /// <param name="replies">How many.</param>
    /// <param name="timeout">How long.</param>
    /// <param name="cancel">Ends, on the loop, when nobody wants them any more: the wait then ends as if the service
    /// stopped.</param>
    /// <exception cref="ArgumentOutOfRangeException">More than the table keeps per question.</exception>
    public ValueTask<WaitResult> WaitAsync(int replies, TimeSpan timeout, CancellationToken cancel = default)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(replies, _replies.Length);
        if (Count >= replies)
        {
            return new ValueTask<WaitResult>(WaitResult.Enough);
        }

        if (_server.Stopping.IsCancellationRequested || cancel.IsCancellationRequested)
        {
            return new ValueTask<WaitResult>(WaitResult.Stopped);
        }

        (_needed, _waiting, _continuation) = (replies, true, null);
        _timer.Arm(timeout);
        _cancel = cancel.UnsafeRegister(static s => ((Replies<T>)s!).Finish(WaitResult.Stopped), this);
        return new ValueTask<WaitResult>(this, ++_token);
    }

    /// <summary>Forgets the replies and keeps the id: for a retry of the same question.</summary>
    public void Clear()
    {
        for (int i = 0; i < Count; i++)
        {
            // A reply that was taken is default here; discards are asked to accept that.
            if (_table.Discard is { } discard && _replies[i] is { } reply)
            {
                discard(reply);
            }
        }

        Array.Clear(_replies);
        Count = 0;
    }

    /// <summary>Ends the question; later replies match nothing.</summary>
    public void Dispose()
    {
        if (!IsOpen)
        {
            return;
        }

        IsOpen = false;
        _timer.Cancel();
        _cancel.Dispose();
        _waiting = false;
        Clear();
        _table.Close(this);
    }

    WaitResult IValueTaskSource<WaitResult>.GetResult(short token) =>
        token == _token ? _result : throw new InvalidOperationException("A wait for replies was awaited twice.");

    ValueTaskSourceStatus IValueTaskSource<WaitResult>.GetStatus(short token) =>
        _waiting ? ValueTaskSourceStatus.Pending : ValueTaskSourceStatus.Succeeded;

    void IValueTaskSource<WaitResult>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    )
    {
        if (_waiting)
        {
            (_continuation, _state) = (continuation, state);
        }
        else
        {
            _server.Loop.Post(continuation, state);
        }
    }

    internal void Reopen()
    {
        IsOpen = true;
        Count = 0;
        _generation = _generation == GenerationMask ? 1 : _generation + 1;
    }

    internal bool Add(T reply)
    {
        if (Count == _replies.Length)
        {
            return false;
        }

        _replies[Count++] = reply;
        if (Count >= _needed)
        {
            Finish(WaitResult.Enough);
        }

        return true;
    }

    private void Finish(WaitResult result)
    {
        if (!_waiting)
        {
            return;
        }

        (_waiting, _result) = (false, result);
        _timer.Cancel();
        _cancel.Dispose();
        if (_continuation is { } continuation)
        {
            _continuation = null;
            _server.Loop.Post(continuation, _state);
        }
    }
}
