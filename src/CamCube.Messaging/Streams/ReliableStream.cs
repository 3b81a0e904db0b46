using System.Buffers;
using System.IO.Pipelines;
using CamCube.Messaging.Streams.Connections;

namespace CamCube.Messaging;

/// <summary>
/// Bytes in order, in both directions, between two services of the same kind on two servers: what one side writes the
/// other reads, each byte once, or the stream ends with a reason. Made by
/// <see cref="StreamEndpoint{THeader}.TryOpen"/>, or given to <see cref="IStreamHandler.OnIncoming"/>. Whoever has it
/// disposes of it, and does not touch it afterwards: the object may become another stream. Loop only; no call throws
/// for what the peer does.
/// </summary>
public sealed class ReliableStream : IBufferWriter<byte>, IDisposable
{
    private StreamBody? _body;
    private StreamWaits? _waits;

    internal ReliableStream() { }

    /// <summary>What its opener said that it is for.</summary>
    public ulong Label => Body.Label;

    /// <summary>The server at the other end. Of a stream to a key: the root, as far as is known.</summary>
    public Coordinate Peer => Body.Peer;

    /// <summary>The run of the peer's endpoint; 0 while it has not answered.</summary>
    public ulong PeerRun => Body.PeerRun;

    /// <summary>How it ended, if it has.</summary>
    public StreamEnd End => Body.End;

    /// <summary>Bytes written by this side.</summary>
    public long Written => Body.Written;

    /// <summary>Bytes written by this side that have arrived, without a gap.</summary>
    public long Acknowledged => Body.Acknowledged;

    /// <summary>Bytes written by this side that the peer's reader has consumed, as far as is known.</summary>
    public long PeerConsumed => Body.PeerConsumed;

    /// <summary>Bytes that may be written now without waiting; 0 after <see cref="Complete"/> and after the end. A
    /// limit (<see cref="StreamOptions.SendLimit"/>); memory may run out before, and then it is 0 until some is
    /// back.</summary>
    public int Writable => Body.Writable;

    /// <summary>Bytes that are here in order.</summary>
    public long Readable => Body.Readable;

    /// <summary>The peer has written all, and all of it was consumed.</summary>
    public bool IsAtEnd => Body.IsAtEnd;

    /// <summary>All that the peer writes is here; some of it may not be consumed.</summary>
    public bool IsWhole => Body.IsWhole;

    /// <summary>What this side writes goes before what streams of a higher number of the same connection write; from 0
    /// to 7. At first what its opener said.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Another priority.</exception>
    public int Priority
    {
        get => Body.Priority;
        set
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)value, (uint)StreamParameters.Priorities);
            Body.Priority = value;
        }
    }

    private StreamWaits Waits => _waits ??= new StreamWaits();

    private StreamBody Body => _body ?? throw new ObjectDisposedException(nameof(ReliableStream));

    /// <summary>Copies bytes in, as many as there is room and memory for. Returns how many.</summary>
    public int Write(ReadOnlySpan<byte> bytes) => Body.Write(bytes);

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">More than <see cref="Writable"/>, or than there is memory
    /// for.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0) =>
        Body.TryGetRoom(sizeHint, out Memory<byte> room)
            ? room
            : throw new InvalidOperationException(
                "The stream takes no more bytes now: ask for Writable, or use Write."
            );

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <inheritdoc/>
    public void Advance(int count) => Body.Advance(count);

    /// <summary>Nothing more is written: the peer reads to the end of what was.</summary>
    public void Complete() => Body.Complete();

    /// <summary>Bytes that are here, in order and in one piece; more may be behind them. Valid until
    /// <see cref="Consume"/>.</summary>
    public ReadOnlySpan<byte> Peek() => Body.Peek();

    /// <summary>Copies bytes that are here, in order, without consuming them.</summary>
    /// <param name="offset">How many unread bytes to pass over.</param>
    /// <param name="to">Room for them.</param>
    /// <returns>How many were copied: fewer than there is room for, if no more are here.</returns>
    public int Peek(long offset, Span<byte> to)
    {
        int copied = 0;
        while (copied < to.Length && Body.PeekMemory(Body.Consumed + offset + copied).Span is { IsEmpty: false } piece)
        {
            piece = piece[..Math.Min(piece.Length, to.Length - copied)];
            piece.CopyTo(to[copied..]);
            copied += piece.Length;
        }

        return copied;
    }

    /// <summary>The reader has done with bytes: the peer may send others.</summary>
    /// <param name="count">How many, at most <see cref="Readable"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">More than there are.</exception>
    public void Consume(int count) => Body.Consume(count);

    /// <summary>Waits until bytes are here. False: none come any more. One waiter at a time.</summary>
    /// <exception cref="InvalidOperationException">Somebody waits already.</exception>
    public ValueTask<bool> ReadableAsync() =>
        !Body.Peek().IsEmpty ? new ValueTask<bool>(true)
        : Body.IsReadDone || End.HasEnded ? new ValueTask<bool>(false)
        : Waits.Reader.Start();

    /// <summary>Waits until bytes may be written. False: none may any more. One waiter at a time.</summary>
    /// <exception cref="InvalidOperationException">Somebody waits already.</exception>
    public ValueTask<bool> WritableAsync()
    {
        if (!Body.CanWrite)
        {
            return new ValueTask<bool>(false);
        }

        if (Writable > 0)
        {
            return new ValueTask<bool>(true);
        }

        Body.NoteWriterWaits();
        return Waits.Writer.Start();
    }

    /// <summary>Ends it at once, on both sides; what is under way is void.</summary>
    /// <param name="code">The peer's to read.</param>
    public void Abort(uint code = 0) => Body.Abort(code);

    /// <summary>Reads no more: what is here and what the peer still writes is not wanted, and the peer is told
    /// (<see cref="StreamEndReason.Stopped"/>). Writing goes on.</summary>
    /// <param name="code">The peer's to read.</param>
    public void StopReading(uint code = 0) => Body.StopReading(code);

    /// <summary>
    /// The same stream as pipes, for parsers and serialisers that take those. Loop only, and only on the loop may be
    /// awaited; the handler's callbacks still come. A reader that examines all without consuming it can see at most
    /// <see cref="StreamOptions.MostCredit"/> bytes. What the writer is given and the stream has no room for waits in
    /// memory of the process until FlushAsync: flush often, and end with CompleteAsync. When both sides are completed
    /// the stream is disposed of.
    /// </summary>
    public IDuplexPipe AsPipe()
    {
        _ = Body;
        return new StreamPipe(this);
    }

    /// <summary>Says how the paths of its connection are.</summary>
    /// <param name="reports">Room for at most seven.</param>
    /// <returns>How many were written.</returns>
    public int CopyPaths(Span<StreamPathReport> reports) => Body.Connection.Paths.CopyTo(reports);

    /// <summary>
    /// Gives it back. What was written before <see cref="Complete"/> still arrives; a stream that was not completed is
    /// aborted; what the peer still writes is not wanted. Whoever waits for it gets false.
    /// </summary>
    public void Dispose()
    {
        if (_body is not { } body)
        {
            return;
        }

        _body = null;
        body.Face = null;
        body.Leave();
        _waits?.Complete(false, false);
        _waits = _waits is { Reader.IsFree: true, Writer.IsFree: true } ? _waits : null;
        ((StreamTeller)body.News).Return(this);
    }

    /// <summary>Becomes the face of a stream.</summary>
    internal void Begin(StreamBody body) => _body = body;

    /// <summary>Is nobody's face any more.</summary>
    internal void Leave() => _body = null;

    /// <summary>Whether its writer may go on at all.</summary>
    internal bool CanWrite => _body is { CanWrite: true };

    /// <summary>Bytes that the reader has consumed.</summary>
    internal long Consumed => Body.Consumed;

    internal ReadOnlyMemory<byte> PeekMemory(long offset) => Body.PeekMemory(offset);

    internal bool TryGetRoom(int least, out Memory<byte> room) => Body.TryGetRoom(least, out room);

    /// <summary>Waits until something new is here, or none comes any more.</summary>
    internal ValueTask<bool> NewsAsync() => Waits.Reader.Start();

    internal void WakeReader() => _waits?.Reader.Complete(false);

    internal void WakeWriter() => _waits?.Writer.Complete(false);

    /// <summary>Goes on with who waits.</summary>
    internal void GoOn(bool isReader)
    {
        if (_body is not { } body || _waits is not { } waits)
        {
            return;
        }

        // News come after the callback: what they tell of may have been read, or filled, before this wait began.
        bool isHere = isReader ? !body.Peek().IsEmpty : body.Writable > 0,
            mayCome = !body.End.HasEnded && (isReader ? !body.IsReadDone : body.CanWrite);
        if (isHere || !mayCome)
        {
            (isReader ? waits.Reader : waits.Writer).Complete(isHere);
        }
        else if (!isReader && waits.Writer.IsWaiting)
        {
            body.NoteWriterWaits();
        }
    }
}
