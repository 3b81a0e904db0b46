using CamCube.Messaging.Streams.Flow;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>One stream of a connection: what is written, what has come, and what is still to be said of it. Loop
/// only.</summary>
internal sealed partial class StreamBody
{
    /// <summary>Bytes that <see cref="WriteControl"/> writes at most.</summary>
    public const int MostControl =
        FrameWriter.CreditLength + FrameWriter.ResetLength + FrameWriter.StopLength + FrameWriter.BlockedLength;

    private readonly StreamHost _host;
    private readonly StreamConnection _connection;
    private readonly SendBuffer _send;
    private readonly ReceiveBuffer _receive;
    private Say _due;
    private Say _underWay;
    private bool _isKnown;
    private bool _wasFull;
    private bool _isReadVoid;
    private bool _isWriteVoid;
    private bool _isStopped;
    private bool _waitsToAllow;
    private bool _waitsToWrite;
    private long _blockedAt = -1;
    private uint _code;
    private uint _stopCode;

    public StreamBody(StreamHost host, StreamConnection connection, uint id, ulong label)
    {
        (_host, _connection, Id, Label) = (host, connection, id, label);
        _send = new SendBuffer(host.SendMemory);
        _receive = new ReceiveBuffer(host.ReceiveMemory, host.Options.FirstCredit, host.Options.MostCredit);
        _isKnown = (id & 1) != (connection.Key.IsOpener ? 0 : 1);
        _due = _isKnown ? Say.Nothing : Say.First;
        TryAllow();
    }

    /// <summary>What its opener said that it is for.</summary>
    public ulong Label { get; }

    /// <summary>The server at the other end.</summary>
    public Coordinate Peer => _connection.Key.Peer;

    /// <summary>The run of the peer's endpoint; 0 while it has not answered.</summary>
    public ulong PeerRun => _connection.PeerRun;

    /// <summary>How it ended, if it has.</summary>
    public StreamEnd End { get; private set; }

    /// <summary>Bytes written by this side.</summary>
    public long Written => _send.Written;

    /// <summary>Bytes written by this side that have arrived, without a gap.</summary>
    public long Acknowledged => _send.Acknowledged;

    /// <summary>Bytes written by this side that the peer's reader has consumed, as far as is known.</summary>
    public long PeerConsumed { get; private set; }

    /// <summary>Bytes that may be written now without waiting; 0 after <see cref="Complete"/> and after the end. A
    /// limit
    /// (<see cref="StreamOptions.SendLimit"/>); memory may run out before, and then it is 0 until some is
    /// back.</summary>
    public int Writable =>
        CanWrite && !_waitsToWrite
            ? (int)Math.Max(0, _host.Options.SendLimit - (_send.Written - _send.Acknowledged))
            : 0;

    /// <summary>Bytes that are here in order.</summary>
    public long Readable => _receive.InOrder - _receive.Consumed;

    /// <summary>The peer has written all, and all of it was consumed.</summary>
    public bool IsAtEnd => !_isReadVoid && _receive.IsWhole && _receive.Consumed == _receive.Final;

    public uint Id { get; }

    /// <summary>What its owner has of it; made by who tells of it.</summary>
    public object? Face { get; set; }

    /// <summary>Its owner has given it back.</summary>
    public bool IsLeft { get; private set; }

    public bool IsSending { get; set; }

    public bool IsInControl { get; set; }

    public bool HasData => !_isWriteVoid && !End.HasEnded && ((_due & Say.First) != 0 || _send.HasSomething);

    /// <summary>Whether its writer may go on at all.</summary>
    public bool CanWrite => !_isWriteVoid && !_send.IsComplete && !End.HasEnded && !IsLeft;

    private bool IsWriteDone => _isWriteVoid || _send.HasArrived;

    /// <summary>Nothing more is read.</summary>
    public bool IsReadDone => _isReadVoid || IsAtEnd;

    /// <summary>Copies bytes in, as many as there is room and memory for. Returns how many.</summary>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        int most = Math.Min(bytes.Length, Writable),
            written = _send.Write(bytes[..most]);
        _wasFull |= written < bytes.Length;
        if (written < most)
        {
            _waitsToWrite = true;
            _host.WaitToWrite(this);
        }

        if (written > 0)
        {
            NoteWritten();
        }

        return written;
    }

    /// <summary>Room behind what was written, in one piece. False: it takes no more now.</summary>
    public bool TryGetRoom(int least, out Memory<byte> room)
    {
        room = default;
        return CanWrite && _send.TryGetRoom(least, out room);
    }

    /// <summary>Bytes were written into the room.</summary>
    public void Advance(int count)
    {
        _send.Advance(count);
        NoteWritten();
    }

    /// <summary>Nothing more is written: the peer reads to the end of what was.</summary>
    public void Complete()
    {
        if (CanWrite)
        {
            _send.Complete();
            NoteWritten();
        }
    }

    /// <summary>Bytes that are here, in order and in one piece; more may be behind them. Valid until
    /// <see cref="Consume"/>.</summary>
    public ReadOnlySpan<byte> Peek() => _isReadVoid ? default : _receive.Peek();

    /// <summary>The reader has done with bytes: the peer may send others.</summary>
    /// <param name="count">How many, at most <see cref="Readable"/>.</param>
    public void Consume(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (ulong)Readable);
        if (_isReadVoid)
        {
            return;
        }

        _receive.Consume(count);
        if (_receive.IsLow)
        {
            TryAllow();
        }

        _host.OfferToReaders();
        NoteDone();
    }

    /// <summary>Who writes waits for room: it is told.</summary>
    public void NoteWriterWaits() => _wasFull = true;

    /// <summary>Ends it at once, on both sides; what is under way is void.</summary>
    /// <param name="code">The peer's to read.</param>
    public void Abort(uint code = 0)
    {
        if (!End.HasEnded)
        {
            _code = code;
            Void(Say.Reset);
            Finish(new StreamEnd(StreamEndReason.Closed));
        }
    }

    /// <summary>
    /// Gives it back. What was written before <see cref="Complete"/> still arrives; a stream that was not completed is
    /// aborted; what the peer still writes is not wanted.
    /// </summary>
    public void Leave()
    {
        if (IsLeft)
        {
            return;
        }

        IsLeft = true;
        if (!IsWriteDone && !_send.IsComplete)
        {
            Abort();
        }
        else if (!IsReadDone)
        {
            _isReadVoid = true;
            _receive.End();
            Due(End.HasEnded ? Say.Nothing : Say.Stop);
        }

        NoteDone();
    }

    /// <summary>A frame of the peer. False: it cannot be.</summary>
    public bool TryTake(in FrameReader frame)
    {
        switch (frame.Type)
        {
            case FrameType.Data:
                return TryTakeData(frame);
            case FrameType.Credit:
                PeerConsumed = Math.Max(PeerConsumed, Math.Min(frame.Offset, _send.Written));
                if (_send.Allow(frame.Limit))
                {
                    _connection.Wants(this);
                }

                return frame.Offset <= _send.Written;
            case FrameType.Reset:
                _isKnown = true;
                Void(Say.Nothing);
                Finish(
                    new StreamEnd(
                        frame.Code == StreamCodes.Refused ? StreamEndReason.Refused : StreamEndReason.Reset,
                        frame.Code == StreamCodes.Refused ? 0 : frame.Code
                    )
                );
                return true;
            case FrameType.Stop:
                OnStop(frame.Code);
                return true;
            case FrameType.Blocked:
                if (!_isReadVoid)
                {
                    _receive.TryGrow(frame.Offset);
                    Due(Say.Credit);
                }

                return true;
            default:
                return false;
        }
    }

    /// <summary>The connection is over.</summary>
    public void EndBy(in StreamEnd end)
    {
        _isWriteVoid = true;
        _send.End();
        (_due, _underWay) = (Say.Nothing, Say.Nothing);
        Finish(end);
        NoteDone();
    }

    /// <summary>Memory has come back: allows the peer what it could not be allowed. False: there is still
    /// none.</summary>
    public bool TryAllowAgain()
    {
        _waitsToAllow = false;
        if (!_isReadVoid && !End.HasEnded)
        {
            TryAllow();
        }

        return !_waitsToAllow;
    }

    /// <summary>Memory for what is written has come back.</summary>
    public void OnWriteMemory()
    {
        _waitsToWrite = false;
        if (CanWrite)
        {
            _host.Tell(this, StreamNews.Writable);
        }
    }

    /// <summary>It was forgotten: gives all memory back.</summary>
    public void Release()
    {
        (_due, _underWay, _isReadVoid, _isWriteVoid) = (Say.Nothing, Say.Nothing, true, true);
        _send.End();
        _receive.End();
    }

    private bool TryTakeData(in FrameReader frame)
    {
        if (_isReadVoid)
        {
            return true;
        }

        long before = _receive.InOrder;
        bool wasWhole = _receive.IsWhole;
        if (!_receive.TryTake(frame.Offset, frame.Bytes, frame.IsLast))
        {
            return false;
        }

        if (_receive.InOrder > before || (_receive.IsWhole && !wasWhole))
        {
            _host.Tell(this, StreamNews.Readable);
            NoteDone();
        }

        return true;
    }

    private void OnStop(uint code)
    {
        (_isStopped, _stopCode) = (true, code);
        if (!_isWriteVoid)
        {
            _isWriteVoid = true;
            _send.End();
            _host.Tell(this, StreamNews.Writable);
        }

        NoteDone();
    }

    private void TryAllow()
    {
        if (_receive.TryAllow())
        {
            Due(Say.Credit);
        }
        else if (_receive.IsStarved && !_waitsToAllow)
        {
            _waitsToAllow = true;
            _host.WaitToAllow(this);
        }
    }

    private void NoteWritten()
    {
        if (_send.IsBlocked && _blockedAt != _send.Credit && _isKnown)
        {
            _blockedAt = _send.Credit;
            Due(Say.Blocked);
        }

        _connection.Wants(this);
    }

    /// <summary>The handler does not want it.</summary>
    public void Refuse()
    {
        IsLeft = true;
        Abort(StreamCodes.Refused);
        NoteDone();
    }

    // Nothing is written or read any more.
    private void Void(Say say)
    {
        (_isWriteVoid, _isReadVoid) = (true, true);
        _send.End();
        _receive.End();
        _due = Say.Nothing;
        Due(say);
    }

    private void Due(Say say)
    {
        if (say != Say.Nothing && _connection.State != ConnectionState.Over)
        {
            _due |= say;
            _connection.WantsControl(this);
        }
    }

    // Whether it is finished, and whether the connection may forget it.
    private void NoteDone()
    {
        if (!End.HasEnded && IsWriteDone && IsReadDone)
        {
            Finish(
                _isStopped
                    ? new StreamEnd(StreamEndReason.Stopped, _stopCode)
                    : new StreamEnd(_isReadVoid ? StreamEndReason.Closed : StreamEndReason.Finished)
            );
        }

        bool isSaid = ((_due | _underWay) & (Say.Reset | Say.Stop)) == 0;
        if (IsLeft && IsWriteDone && IsReadDone && (isSaid || _connection.State == ConnectionState.Over))
        {
            _connection.Forget(this);
        }
    }

    private void Finish(in StreamEnd end)
    {
        if (!End.HasEnded)
        {
            End = end;
            _host.Tell(this, StreamNews.Ended);
        }
    }
}
