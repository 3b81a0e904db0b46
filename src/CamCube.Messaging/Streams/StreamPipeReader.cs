using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace CamCube.Messaging;

/// <summary>The reading side of a stream. Loop only.</summary>
internal sealed class StreamPipeReader(ReliableStream stream, StreamPipe pipe) : PipeReader
{
    private readonly List<PipeSegment> _segments = [];
    private long _first;
    private long _examined;
    private bool _isCancelled;
    private bool _isCompleted;

    public override bool TryRead(out ReadResult result)
    {
        ThrowIfCompleted();
        bool isEnd = stream.IsWhole || stream.End.HasEnded;
        long readable = stream.Readable;
        bool hasNews = stream.Consumed + readable > _examined;
        if (!hasNews && !isEnd && !_isCancelled)
        {
            result = default;
            return false;
        }

        result = new ReadResult(Sequence(readable), _isCancelled, isEnd);
        _isCancelled = false;
        return true;
    }

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return TryRead(out ReadResult result) ? new ValueTask<ReadResult>(result) : WaitAsync();
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        ThrowIfCompleted();
        long to = OffsetOf(consumed),
            seen = OffsetOf(examined);
        stream.Consume((int)(to - stream.Consumed));
        _examined = Math.Max(to, seen);
    }

    public override void CancelPendingRead()
    {
        _isCancelled = true;
        stream.WakeReader();
    }

    public override void Complete(Exception? exception = null)
    {
        if (_isCompleted)
        {
            return;
        }

        _isCompleted = true;
        if (!stream.IsAtEnd)
        {
            stream.StopReading();
        }

        pipe.NoteDone(isReader: true);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult> WaitAsync()
    {
        ReadResult result;
        do
        {
            await stream.NewsAsync();
        } while (!TryRead(out result));

        return result;
    }

    private ReadOnlySequence<byte> Sequence(long readable)
    {
        _first = stream.Consumed;
        int count = 0;
        for (long at = 0; at < readable; count++)
        {
            at += stream.PeekMemory(_first + at).Length;
            if (count == _segments.Count)
            {
                _segments.Add(new PipeSegment());
            }
        }

        if (count == 0)
        {
            return ReadOnlySequence<byte>.Empty;
        }

        long offset = 0;
        for (int i = 0; i < count; i++)
        {
            ReadOnlyMemory<byte> memory = stream.PeekMemory(_first + offset);
            _segments[i].Set(memory, offset, i + 1 < count ? _segments[i + 1] : null);
            offset += memory.Length;
        }

        PipeSegment last = _segments[count - 1];
        return new ReadOnlySequence<byte>(_segments[0], 0, last, last.Memory.Length);
    }

    // Where a position lies in the stream; that of an empty sequence is where it began.
    private long OffsetOf(SequencePosition position) =>
        position.GetObject() is PipeSegment segment
            ? _first + segment.RunningIndex + position.GetInteger()
            : stream.Consumed;

    private void ThrowIfCompleted()
    {
        if (_isCompleted)
        {
            throw new InvalidOperationException("The reader was completed.");
        }
    }
}
