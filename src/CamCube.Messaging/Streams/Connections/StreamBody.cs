using CamCube.Messaging.Streams.Flow;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>One stream of a connection: what is written, what has come, and what is still to be said of it. Used again
/// for another stream once nobody holds it. Loop only.</summary>
internal sealed partial class StreamBody
{
    /// <summary>Bytes that <see cref="WriteControl"/> writes at most.</summary>
    public const int MostControl =
        FrameWriter.CreditLength + FrameWriter.ResetLength + FrameWriter.StopLength + FrameWriter.BlockedLength;

    /// <summary>The next in the same slot of <see cref="StreamTable"/>.</summary>
    public StreamBody? NextInTable;

    private StreamConnection _connection;
    private KeyAsk? _ask;
    private SendBuffer _send;
    private ReceiveBuffer _receive;
    private ulong _label;
    private ulong _route;
    private Say _due;
    private Say _underWay;
    private ResetWhy _why;
    private bool _isKnown;
    private bool _wasFull;
    private bool _isReadVoid;
    private bool _isWriteVoid;
    private bool _isStopped;
    private bool _waitsToAllow;
    private bool _waitsToWrite;
    private bool _isBlockedSaid;
    private bool _isPeerBlocked;
    private bool _isFlightVoid;
    private bool _mayFly;
    private byte _flags;
    private byte _leastChunks;
    private byte _priority;
    private uint _code;
    private uint _stopCode;

    public StreamBody(StreamConnection connection) => _connection = connection;

    /// <summary>What its opener said that it is for.</summary>
    public ulong Label => _label;

    /// <summary>The server at the other end.</summary>
    public Coordinate Peer => _connection.Key.Peer;

    /// <summary>The run of the peer's endpoint; 0 while it has not answered.</summary>
    public ulong PeerRun => _connection.PeerRun;

    /// <summary>Its connection, or the last one it had.</summary>
    public StreamConnection Connection => _connection;

    /// <summary>Who tells of it.</summary>
    public IStreamNews News => Host.News;

    /// <summary>How it ended, if it has.</summary>
    public StreamEnd End { get; private set; }

    /// <summary>Bytes written by this side.</summary>
    public long Written => _send.Written;

    /// <summary>Bytes written by this side that have arrived, without a gap.</summary>
    public long Acknowledged => _send.Acknowledged;

    /// <summary>Bytes written by this side that the peer's reader has consumed, as far as is known.</summary>
    public long PeerConsumed { get; private set; }

    /// <summary>Bytes that may be written now without waiting.</summary>
    public int Writable =>
        CanWrite && !_waitsToWrite
            ? (int)Math.Max(0, Host.Options.SendLimit - (_send.Written - _send.Acknowledged))
            : 0;

    /// <summary>Bytes that are here in order.</summary>
    public long Readable => _isReadVoid ? 0 : _receive.InOrder - _receive.Consumed;

    /// <summary>The peer has written all, and all of it was consumed.</summary>
    public bool IsAtEnd => !_isReadVoid && _receive.IsAtEnd;

    /// <summary>Bytes that the reader has consumed.</summary>
    public long Consumed => _receive.Consumed;

    /// <summary>All that the peer writes is here.</summary>
    public bool IsWhole => !_isReadVoid && _receive.IsWhole;

    public uint Id { get; private set; }

    /// <summary>What its owner has of it; made by who tells of it.</summary>
    public object? Face { get; set; }

    /// <summary>Its owner has given it back.</summary>
    public bool IsLeft { get; private set; }

    /// <summary>Its connection has forgotten it: who still holds it lets it go.</summary>
    public bool IsForgotten { get; private set; }

    /// <summary>Queues in which it stands.</summary>
    public int Holds { get; set; }

    public bool IsSending { get; set; }

    public bool IsInControl { get; set; }

    /// <summary>It has no connection now: it looks for its key's root, or greets anew.</summary>
    public bool IsDetached { get; private set; }

    /// <summary>Lower ones of a connection go first.</summary>
    public int Priority
    {
        get => _priority;
        set
        {
            if (_priority != value)
            {
                _priority = (byte)value;
                _connection.MovePriority(this);
            }
        }
    }

    public bool HasData => !_isWriteVoid && !End.HasEnded && ((_due & Say.First) != 0 || _send.HasSomething(Flight));

    /// <summary>Whether its writer may go on at all.</summary>
    public bool CanWrite => !_isWriteVoid && !_send.IsComplete && !End.HasEnded && !IsLeft;

    /// <summary>Nothing more is read.</summary>
    public bool IsReadDone => _isReadVoid || IsAtEnd;

    /// <summary>The peer opened it by a key.</summary>
    public bool IsAcceptedByKey => Purpose is { IsToKey: true, IsPinned: false } && _ask is null;

    public Key AskedKey => new(_route, 0, 0);

    private StreamHost Host => _connection.Host;

    // Bytes that may leave before the peer allows any. Not to a key: another server may be its root. As it was when the
    // stream began: who is not blocked, and may not send either, would wait for ever.
    private int Flight => _mayFly ? Math.Min(Host.Options.FirstFlight, ReceiveBuffer.MostFlight) : 0;

    private StreamPurpose Purpose => new(_label, _route, _flags, _leastChunks);

    private bool IsWriteDone => _isWriteVoid || _send.HasArrived;

    /// <summary>Becomes a stream.</summary>
    /// <returns>False: there is no memory for the credit that it needs at least.</returns>
    public bool TryBegin(StreamConnection connection, uint id, in StreamPurpose purpose, KeyAsk? ask)
    {
        (_connection, Id, _ask) = (connection, id, ask);
        (_label, _route, _flags, _leastChunks) = (purpose.Label, purpose.Route, purpose.Flags, purpose.LeastChunks);
        (_send, _receive, End, PeerConsumed) = (default, default, default, 0);
        (_isReadVoid, _isWriteVoid, _isStopped, _isBlockedSaid, _wasFull) = (false, false, false, false, false);
        (_isPeerBlocked, _isFlightVoid) = (false, false);
        _mayFly = ask is null && connection.MayFly;
        (IsLeft, IsForgotten, IsDetached, _underWay, Face) = (false, false, false, Say.Nothing, null);
        _priority = (byte)purpose.Priority;
        _isKnown = (id & 1) != (connection.Key.IsOpener ? 0 : 1);
        _due = _isKnown ? Say.Nothing : Say.First;
        bool hasMemory = _receive.TryBegin(
            Host.ReceiveMemory,
            Host.Options.FirstCredit,
            Host.Streams,
            purpose.LeastChunks
        );
        hasMemory = hasMemory && _send.TryKeep(Host.SendMemory, purpose.LeastChunks);
        Due(_receive.Limit > 0 ? Say.Credit : Say.Nothing);
        return hasMemory;
    }

    /// <summary>Copies bytes in, as many as there is room and memory for. Returns how many.</summary>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        int most = Math.Min(bytes.Length, Writable),
            written = _send.Write(Host.SendMemory, bytes[..most]);
        _wasFull |= written < bytes.Length;
        if (written < most)
        {
            _waitsToWrite = true;
            Host.WaitToWrite(this);
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
        return CanWrite && _send.TryGetRoom(Host.SendMemory, least, out room);
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

    /// <summary>The same, from an offset on.</summary>
    public ReadOnlyMemory<byte> PeekMemory(long offset) => _isReadVoid ? default : _receive.PeekMemory(offset);

    /// <summary>The reader has done with bytes: the peer may send others.</summary>
    /// <param name="count">How many, at most <see cref="Readable"/>.</param>
    public void Consume(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((ulong)(uint)count, (ulong)Readable, nameof(count));
        if (_isReadVoid)
        {
            return;
        }

        if (_receive.Consume(Host.ReceiveMemory, count))
        {
            Due(Say.Credit);
        }

        // While others wait for memory, only who says that it needs more gets more than a gift.
        if (_receive.IsLow && (_receive.IsGift || _isPeerBlocked || !Host.IsShort))
        {
            TryAllow();
        }

        Host.OfferToReaders();
        NoteDone();
    }

    /// <summary>Who writes waits for room: it is told.</summary>
    public void NoteWriterWaits() => _wasFull = true;

    /// <summary>Ends it at once, on both sides; what is under way is void.</summary>
    /// <param name="code">The peer's to read.</param>
    public void Abort(uint code)
    {
        if (!End.HasEnded)
        {
            (_why, _code) = (ResetWhy.Aborted, code);
            Void(Say.Reset);
            Finish(new StreamEnd(StreamEndReason.Closed));
        }
    }

    /// <summary>This server is not root of its key, or no more: it ends on both sides.</summary>
    public void EndByRoot(Coordinate root)
    {
        if (!End.HasEnded)
        {
            (_why, _code) = (ResetWhy.NotRoot, (uint)Host.Server.Shape.RankOf(root));
            Void(Say.Reset);
            Finish(new StreamEnd(StreamEndReason.RootMoved) { Root = root });
        }
    }

    /// <summary>Gives it back.</summary>
    public void Leave()
    {
        if (IsLeft)
        {
            return;
        }

        IsLeft = true;
        if (!IsWriteDone && !_send.IsComplete)
        {
            Abort(0);
        }
        else if (!IsReadDone)
        {
            _isReadVoid = true;
            _receive.End(Host.ReceiveMemory);
            Due(End.HasEnded ? Say.Nothing : Say.Stop);
        }

        NoteDone();
    }

    /// <summary>What the peer writes is not wanted any more.</summary>
    public void StopReading(uint code)
    {
        if (!IsReadDone && !End.HasEnded)
        {
            _isReadVoid = true;
            _code = code;
            _receive.End(Host.ReceiveMemory);
            Due(Say.Stop);
            NoteDone();
        }
    }

    /// <summary>Nobody is told of it: it is not wanted, or cannot be had here.</summary>
    public void Refuse(ResetWhy why, Coordinate root = default)
    {
        IsLeft = true;
        if (!End.HasEnded)
        {
            (_why, _code) = (why, (uint)Host.Server.Shape.RankOf(root));
            Void(Say.Reset);
            Finish(new StreamEnd(StreamEndReason.Closed));
        }
        else
        {
            // Its connection had ended before anybody was told of it: nobody will read it.
            Void(Say.Nothing);
        }

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
            Host.Tell(this, StreamNews.Writable);
        }
    }

    /// <summary>It was forgotten: gives all memory back.</summary>
    public void Release()
    {
        IsForgotten = true;
        (_due, _underWay, _isReadVoid, _isWriteVoid) = (Say.Nothing, Say.Nothing, true, true);
        _send.End(Host.SendMemory);
        _receive.End(Host.ReceiveMemory);
    }

    /// <summary>A queue has no more of it.</summary>
    public void LetGo()
    {
        if (--Holds == 0 && IsForgotten)
        {
            Host.Recycle(this);
        }
    }

    private void TryAllow()
    {
        if (_receive.TryAllow(Host.ReceiveMemory))
        {
            _isPeerBlocked = false;
            Due(Say.Credit);
        }
        else if (_receive.IsStarved && !_waitsToAllow)
        {
            _waitsToAllow = true;
            Host.WaitToAllow(this);
        }
    }

    private void NoteWritten()
    {
        SayIfBlocked();
        _connection.Wants(this);
    }

    private void SayIfBlocked()
    {
        if (_send.IsBlocked(Flight) && !_isBlockedSaid && _isKnown)
        {
            _isBlockedSaid = true;
            Due(Say.Blocked);
        }
    }

    // Nothing is written or read any more.
    private void Void(Say say)
    {
        (_isWriteVoid, _isReadVoid) = (true, true);
        _send.End(Host.SendMemory);
        _receive.End(Host.ReceiveMemory);
        _due = Say.Nothing;
        Due(say);
    }

    private void Due(Say say)
    {
        if (say != Say.Nothing && _connection.State != ConnectionState.Over && !IsDetached)
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

        // Until it has heard of credit, the peer does not know whether its first flight was kept.
        Say words = _isReadVoid || _receive.Limit == 0 ? Say.Reset | Say.Stop : Say.Reset | Say.Stop | Say.Credit;
        bool isSaid = ((_due | _underWay) & words) == 0 || IsDetached || _connection.State == ConnectionState.Over;
        if (IsLeft && IsWriteDone && IsReadDone && isSaid)
        {
            _connection.Forget(this);
        }
    }

    private void Finish(in StreamEnd end)
    {
        if (!End.HasEnded)
        {
            End = end;
            Host.Tell(this, StreamNews.Ended);
        }
    }
}
