using System.Buffers;
using System.Collections.Concurrent;
using System.Threading.Tasks.Sources;

namespace CamCube.Client.Cache.Protocol;

/// <summary>
/// A command whose answer is awaited. Two own it: the caller and the connection; when both have let go it is used
/// again. Answer and cancellation race for it and one wins: after a cancellation the answer is read and thrown away, so
/// the connection stays in step, and the caller's destination is never touched after the caller was told.
/// </summary>
internal sealed class PendingRequest : IValueTaskSource<Answer>
{
    private const int MostKept = 1024;
    private static readonly ConcurrentQueue<PendingRequest> Kept = new();

    private ManualResetValueTaskSourceCore<Answer> _core = new() { RunContinuationsAsynchronously = true };
    private IBufferWriter<byte>? _destination;
    private bool _wantsArray;
    private int _owners;
    private int _isSettled;

    /// <summary>What was asked.</summary>
    public CommandKind Kind { get; private set; }

    /// <summary>The number that the answer repeats.</summary>
    public uint Opaque { get; private set; }

    /// <summary>When it was handed to the connection, as a timestamp of the time provider.</summary>
    public long SentAt { get; private set; }

    /// <summary>Takes a used one or makes one; it has two owners.</summary>
    public static PendingRequest Rent(in Command command, uint opaque, long sentAt)
    {
        if (!Kept.TryDequeue(out PendingRequest? request))
        {
            request = new PendingRequest();
        }

        request.Kind = command.Kind;
        request.Opaque = opaque;
        request.SentAt = sentAt;
        request._destination = command.Destination;
        request._wantsArray = command.WantsArray;
        request._isSettled = 0;
        Volatile.Write(ref request._owners, 2);
        return request;
    }

    /// <summary>The caller waits here, once. Throws if cancelled, or what the destination threw.</summary>
    public ValueTask<Answer> WaitAsync() => new(this, _core.Version);

    /// <summary>The caller gives up, if no answer came before.</summary>
    public void Cancel(CancellationToken token)
    {
        if (TrySettle())
        {
            _core.SetException(new OperationCanceledException(token));
        }
    }

    /// <summary>The connection has an answer without a value, or none.</summary>
    public void Complete(in Answer answer)
    {
        if (TrySettle())
        {
            _core.SetResult(answer);
        }
    }

    /// <summary>The connection has an answer with a value. Only a destination that throws ends in an exception, and
    /// that is the caller's.</summary>
    public void CompleteWithValue(in Answer answer, in ReadOnlySequence<byte> value)
    {
        if (!TrySettle())
        {
            return;
        }

        byte[]? array = null;
        try
        {
            if (_destination is { } destination)
            {
                foreach (ReadOnlyMemory<byte> part in value)
                {
                    destination.Write(part.Span);
                }
            }
            else if (_wantsArray)
            {
                array = value.ToArray();
            }
        }
        catch (Exception error)
        {
            _core.SetException(error);
            return;
        }

        _core.SetResult(answer with { Value = array });
    }

    /// <summary>One of the two owners is done with it.</summary>
    public void Release()
    {
        if (Interlocked.Decrement(ref _owners) != 0)
        {
            return;
        }

        _core.Reset();
        _destination = null;
        if (Kept.Count < MostKept)
        {
            Kept.Enqueue(this);
        }
    }

    Answer IValueTaskSource<Answer>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<Answer>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<Answer>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);

    private bool TrySettle() => Interlocked.Exchange(ref _isSettled, 1) == 0;
}
