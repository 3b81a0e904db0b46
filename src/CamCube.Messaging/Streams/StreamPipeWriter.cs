using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace CamCube.Messaging;

/// <summary>The writing side of a stream: what the stream takes no room for yet waits here until it is flushed. Loop
/// only.</summary>
internal sealed class StreamPipeWriter(ReliableStream stream, StreamPipe pipe) : PipeWriter
{
    private const int LeastRoom = 1;
    private byte[] _waiting = [];
    private int _begin;
    private int _end;
    private bool _isInStream;
    private bool _isCancelled;
    private bool _isCompleted;

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _end - _begin;

    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        int least = Math.Max(LeastRoom, sizeHint);
        _isInStream = _begin == _end && stream.Writable >= least && stream.TryGetRoom(least, out _);
        if (_isInStream)
        {
            stream.TryGetRoom(least, out Memory<byte> room);
            return room[..Math.Min(room.Length, stream.Writable)];
        }

        Grow(least);
        return _waiting.AsMemory(_end);
    }

    public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public override void Advance(int bytes)
    {
        if (_isInStream)
        {
            stream.Advance(bytes);
        }
        else
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)bytes, (uint)(_waiting.Length - _end), nameof(bytes));
            _end += bytes;
        }
    }

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return TryFlush(out FlushResult result) ? new ValueTask<FlushResult>(result) : WaitAsync();
    }

    public override void CancelPendingFlush()
    {
        _isCancelled = true;
        stream.WakeWriter();
    }

    public override void Complete(Exception? exception = null)
    {
        if (_isCompleted)
        {
            return;
        }

        _isCompleted = true;
        if (TryFlush(out _) && exception is null && _begin == _end)
        {
            stream.Complete();
        }
        else
        {
            // Not all of it will come: the peer must not take it for the whole.
            stream.Abort();
        }

        Return();
        pipe.NoteDone(isReader: false);
    }

    public override async ValueTask CompleteAsync(Exception? exception = null)
    {
        if (exception is null && !_isCompleted)
        {
            await FlushAsync();
        }

        Complete(exception);
    }

    // All is in the stream, or never will be, or whoever waits wants to wait no longer.
    private bool TryFlush(out FlushResult result)
    {
        if (_begin < _end)
        {
            _begin += stream.Write(_waiting.AsSpan(_begin, _end - _begin));
        }

        bool isOver = !stream.CanWrite;
        if (_begin == _end || isOver)
        {
            (_begin, _end) = (0, 0);
        }

        bool isDone = _begin == _end || _isCancelled;
        result = new FlushResult(_isCancelled, isOver);
        _isCancelled &= !isDone;
        return isDone;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<FlushResult> WaitAsync()
    {
        FlushResult result;
        do
        {
            await stream.WritableAsync();
        } while (!TryFlush(out result));

        return result;
    }

    private void Grow(int least)
    {
        if (_waiting.Length - _end >= least)
        {
            return;
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(Chunk.Size, (2 * (_end - _begin)) + least));
        _waiting.AsSpan(_begin, _end - _begin).CopyTo(larger);
        (_begin, _end) = (0, _end - _begin);
        Return();
        _waiting = larger;
    }

    private void Return()
    {
        if (_waiting.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_waiting);
            _waiting = [];
        }
    }
}
