using System.Threading.Tasks.Sources;
using CamCube.FrontEnds.Buffers;

namespace CamCube.FrontEnds.Tls;

/// <summary>
/// What is under a client's TLS in the loop: gives out what was received, a record at a time and only whole ones, and
/// takes what is to be sent. A read that finds nothing waits for <see cref="GoOn"/>, and goes on in it, on its thread:
/// no other takes part. Loop only.
/// </summary>
/// <param name="output">Takes what TLS has to send.</param>
internal sealed class RecordPipe(ReplyBuffer output) : Stream, IValueTaskSource<int>
{
    private const int HeaderLength = 5;

    // Of TLS 1.2, with what may be added to the text; of 1.3 less.
    private const int MostLength = HeaderLength + (16 << 10) + 2_048;

    // Never asynchronous, so that what waits goes on where its bytes come from.
    private ManualResetValueTaskSourceCore<int> _core;
    private ReadOnlyMemory<byte> _received;
    private Memory<byte> _room;
    private int _left;
    private bool _isAwaited;
    private bool _isClosed;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Bytes that are there and were not taken.</summary>
    public int Unread => _received.Length;

    /// <summary>The client sends no more.</summary>
    public bool HasEnded { get; set; }

    /// <summary>Whether a read waits.</summary>
    public bool IsAwaited => _isAwaited;

    /// <summary>Whether a read would not wait.</summary>
    public bool HasRecord => _left > 0 || RecordLength() > 0 || HasEnded || _isClosed;

    /// <summary>What is there now, in place of what was: valid until the next call, or until nothing is
    /// unread.</summary>
    public void Show(ReadOnlyMemory<byte> received) => _received = received;

    /// <summary>Ends the read that waits, if there is something for it, and whatever waits for that goes on before this
    /// returns.</summary>
    public bool GoOn()
    {
        if (!_isAwaited || !HasRecord)
        {
            return false;
        }

        _isAwaited = false;
        Memory<byte> room = _room;
        _room = default;

        // A task goes on in place only where nobody asks for it to be elsewhere.
        SynchronizationContext? outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            _core.SetResult(Take(room.Span));
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(outer);
        }

        return true;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (HasRecord)
        {
            return new ValueTask<int>(Take(buffer.Span));
        }

        if (_isAwaited)
        {
            throw new InvalidOperationException("One read at a time.");
        }

        _core.Reset();
        (_room, _isAwaited) = (buffer, true);
        return new ValueTask<int>(this, _core.Version);
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (!_isClosed)
        {
            output.Write(buffer.Span);
        }

        return ValueTask.CompletedTask;
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override void Flush() { }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    int IValueTaskSource<int>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);

    protected override void Dispose(bool disposing)
    {
        (_isClosed, _received, _left) = (true, default, 0);
        GoOn();
        base.Dispose(disposing);
    }

    private int Take(Span<byte> room)
    {
        if (_left == 0)
        {
            _left = RecordLength();
        }

        int length = Math.Min(_left > 0 ? _left : _received.Length, Math.Min(room.Length, _received.Length));
        _received.Span[..length].CopyTo(room);
        _received = _received[length..];
        _left = Math.Max(0, _left - length);
        return length;
    }

    // Of a whole record; 0 if none is there. What can be none is given as it is, for TLS to refuse.
    private int RecordLength()
    {
        ReadOnlySpan<byte> bytes = _received.Span;
        if (bytes.IsEmpty)
        {
            return 0;
        }

        if (bytes[0] is < 20 or > 24)
        {
            return bytes.Length;
        }

        if (bytes.Length < HeaderLength)
        {
            return 0;
        }

        int length = HeaderLength + (bytes[3] << 8) + bytes[4];
        return length > MostLength ? bytes.Length
            : length <= bytes.Length ? length
            : 0;
    }
}
