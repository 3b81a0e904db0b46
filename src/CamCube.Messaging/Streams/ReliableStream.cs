using System.Buffers;
using CamCube.Messaging.Streams.Connections;

namespace CamCube.Messaging;

/// <summary>
/// Bytes in order, in both directions, between two services of the same kind on two servers: what one side writes the
/// other reads, each byte once, or the stream ends with a reason. Made by
/// <see cref="StreamEndpoint{THeader}.TryOpen"/>, or given to <see cref="IStreamHandler.OnIncoming"/>. Whoever has it
/// disposes of it. Loop only; no call throws for what the peer does.
/// </summary>
public sealed class ReliableStream : IBufferWriter<byte>, IDisposable
{
    private readonly StreamBody _body;
    private readonly StreamWait _reader = new(),
        _writer = new();

    internal ReliableStream(StreamBody body) => _body = body;

    /// <summary>What its opener said that it is for.</summary>
    public ulong Label => _body.Label;

    /// <summary>The server at the other end.</summary>
    public Coordinate Peer => _body.Peer;

    /// <summary>The run of the peer's endpoint; 0 while it has not answered.</summary>
    public ulong PeerRun => _body.PeerRun;

    /// <summary>How it ended, if it has.</summary>
    public StreamEnd End => _body.End;

    /// <summary>Bytes written by this side.</summary>
    public long Written => _body.Written;

    /// <summary>Bytes written by this side that have arrived, without a gap.</summary>
    public long Acknowledged => _body.Acknowledged;

    /// <summary>Bytes written by this side that the peer's reader has consumed, as far as is known.</summary>
    public long PeerConsumed => _body.PeerConsumed;

    /// <summary>Bytes that may be written now without waiting; 0 after <see cref="Complete"/> and after the end. A
    /// limit
    /// (<see cref="StreamOptions.SendLimit"/>); memory may run out before, and then it is 0 until some is
    /// back.</summary>
    public int Writable => _body.Writable;

    /// <summary>Bytes that are here in order.</summary>
    public long Readable => _body.Readable;

    /// <summary>The peer has written all, and all of it was consumed.</summary>
    public bool IsAtEnd => _body.IsAtEnd;

    /// <summary>Copies bytes in, as many as there is room and memory for. Returns how many.</summary>
    public int Write(ReadOnlySpan<byte> bytes) => _body.Write(bytes);

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">More than <see cref="Writable"/>, or than there is memory
    /// for.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0) =>
        _body.TryGetRoom(sizeHint, out Memory<byte> room)
            ? room
            : throw new InvalidOperationException(
                "The stream takes no more bytes now: ask for Writable, or use Write."
            );

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <inheritdoc/>
    public void Advance(int count) => _body.Advance(count);

    /// <summary>Nothing more is written: the peer reads to the end of what was.</summary>
    public void Complete() => _body.Complete();

    /// <summary>Bytes that are here, in order and in one piece; more may be behind them. Valid until
    /// <see cref="Consume"/>.</summary>
    public ReadOnlySpan<byte> Peek() => _body.Peek();

    /// <summary>The reader has done with bytes: the peer may send others.</summary>
    /// <param name="count">How many, at most <see cref="Readable"/>.</param>
    public void Consume(int count) => _body.Consume(count);

    /// <summary>Waits until bytes are here. False: none come any more. One waiter at a time.</summary>
    public ValueTask<bool> ReadableAsync() =>
        !_body.Peek().IsEmpty ? new ValueTask<bool>(true)
        : _body.IsReadDone || End.HasEnded ? new ValueTask<bool>(false)
        : _reader.Start();

    /// <summary>Waits until bytes may be written. False: none may any more. One waiter at a time.</summary>
    public ValueTask<bool> WritableAsync()
    {
        if (!_body.CanWrite)
        {
            return new ValueTask<bool>(false);
        }

        if (Writable > 0)
        {
            return new ValueTask<bool>(true);
        }

        _body.NoteWriterWaits();
        return _writer.Start();
    }

    /// <summary>Ends it at once, on both sides; what is under way is void.</summary>
    /// <param name="code">The peer's to read.</param>
    public void Abort(uint code = 0) => _body.Abort(code);

    /// <summary>
    /// Gives it back. What was written before <see cref="Complete"/> still arrives; a stream that was not completed is
    /// aborted; what the peer still writes is not wanted.
    /// </summary>
    public void Dispose()
    {
        _body.Leave();
        _reader.Complete(false);
        _writer.Complete(false);
    }

    /// <summary>Goes on with who waits.</summary>
    internal void GoOn(bool isReader)
    {
        if (isReader)
        {
            _reader.Complete(!_body.Peek().IsEmpty);
        }
        else
        {
            _writer.Complete(Writable > 0);
        }
    }
}
