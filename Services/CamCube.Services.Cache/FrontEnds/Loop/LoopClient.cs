using System.Buffers;
using System.Runtime.Versioning;
using CamCube.Sockets;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// One client in the server's loop. What it sends is answered on the spot where this server has the key, from the store's memory into the
/// buffer that is sent; other commands wait in its window for the cube. While a client does not read its answers, nothing more of it is
/// read. Loop only, except where said otherwise.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LoopClient : IServedClient, ICommandOwner, IQuickAnswers, ICacheValueReader
{
    // Above it answers are sent before more are written.
    private const int SendThreshold = 64 << 10;

    // Steps of the protocol in one turn; others are to have theirs.
    private const int MostSteps = 2_048;
    private readonly int _mostCommands;
    private int _answered;

    private readonly AcceptedClient _accepted;
    private readonly DescriptorHandle _socket;
    private readonly long _descriptor;
    private readonly ClientLoop _loop;
    private readonly MemcachedContext _context;
    private readonly CommandWindow _window;
    private IClientProtocol? _protocol;
    private int _number = -1;
    private LoopEvents _watched;

    private readonly KeptInput _left = new();

    // What the system did not take.
    private byte[] _unsent = [];
    private int _unsentStart;
    private int _unsentEnd;

    // When something was received from it or sent to it.
    private long _movedNanos;

    private CommandSlot? _answering;
    private bool _wroteHead;
    private bool _wroteValue;
    private bool _isInCache;

    // The client sends no more; nothing is taken from it any more; a command waits for earlier ones.
    private bool _hasEnded;
    private bool _isOver;
    private bool _isBlocked;
    private bool _isHungUp;
    private bool _isDue;
    private bool _isClosed;
    private bool _isReleased;
    private volatile bool _isDraining;
    private volatile bool _isAborted;

    internal LoopClient(in AcceptedClient accepted, ClientLoop loop, MemcachedContext context)
    {
        (_accepted, _socket, _loop, _context) = (accepted, accepted.Socket, loop, context);
        _descriptor = _socket.DangerousGetHandle();
        _window = new CommandWindow(context, this, this);
        _mostCommands = context.Options.CommandsPerTurn;
    }

    /// <inheritdoc/>
    public LinkedListNode<IServedClient>? Node { get; set; }

    /// <summary>Its place in the loop's list.</summary>
    internal int Index { get; set; }

    private bool HasUnsent => _unsentEnd > _unsentStart;

    private bool CanRead => !_hasEnded && !_isOver && !_isBlocked && !_isDraining && !HasUnsent;

    /// <inheritdoc/>
    public ConnectionFacts Describe()
    {
        // Whole seconds of either, as memcached counts them.
        const long Second = 1_000_000_000;
        string state = _protocol is { AwaitsValue: true } ? ConnectionFacts.ReadingValue
            : !_window.IsEmpty ? ConnectionFacts.InCommand
            : ConnectionFacts.Waiting;
        long idle = Math.Max(0, (_loop.NowNanos / Second) - (_movedNanos / Second));
        return new ConnectionFacts(_descriptor, _accepted.Text, _accepted.Listener, state, idle);
    }

    /// <inheritdoc/>
    public void Drain()
    {
        _isDraining = true;
        _loop.LookAtAll();
    }

    /// <inheritdoc/>
    public void Abort()
    {
        _isAborted = true;
        _loop.LookAtAll();
    }

    /// <inheritdoc/>
    public void CommandEnded()
    {
        if (!_loop.IsHere)
        {
            _loop.CommandEndedElsewhere(this);
        }
        else if (_isClosed)
        {
            Release();
        }
        else if (!_isDue)
        {
            _isDue = true;
            _loop.Continue(this);
        }
    }

    /// <inheritdoc/>
    public bool TryAnswer(CommandSlot slot)
    {
        (_wroteHead, _wroteValue) = (false, false);
        if (slot.Work == SlotWork.Cache)
        {
            if (_loop.Cache is not { } cache)
                return false;
            bool reads = slot.ReadsValue;
            _answering = slot;
            _isInCache = true;
            if (!cache.TryExecute(
                slot.Terms, slot.Key, reads ? default : slot.Value.Written.Span, reads ? this : null, out CacheReply reply))
            {
                _isInCache = false;
                return false;
            }

            _isInCache = false;
            if (!_wroteHead)
                slot.End(reply);
        }
        else if (slot.Work != SlotWork.None)
        {
            return false;
        }

        Answer(slot);
        return true;
    }

    /// <inheritdoc/>
    public bool MayGoOn => _answered < _mostCommands && _loop.Output.Length < SendThreshold && !_isOver;

    /// <inheritdoc/>
    public void Hint(ReadOnlySpan<byte> key) => _loop.Cache?.Hint(key);

    /// <inheritdoc/>
    public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset)
    {
        if (offset == 0)
        {
            CommandSlot slot = _answering!;
            slot.End(reply);
            _wroteHead = true;
            _wroteValue = _protocol!.WriteHead(slot, reply, reply.Facts.Length, _loop.Output);
        }

        if (_wroteValue)
            _loop.Output.Write(piece);
    }

    /// <summary>It is connected: from now on it is watched.</summary>
    internal void Begin()
    {
        try
        {
            _watched = LoopEvents.Readable;
            _movedNanos = _loop.NowNanos;
            _number = _loop.Seat.Watch(_socket, _watched, this);
            Receive();
        }
        catch (Exception error) when (!_isInCache)
        {
            Fail(error);
        }
    }

    /// <summary>Something happened at its socket.</summary>
    internal void Happened(LoopEvents seen)
    {
        if (_isClosed)
            return;
        try
        {
            if ((seen & LoopEvents.Writable) != 0 && HasUnsent)
            {
                SendUnsent();
                if (HasUnsent || _isClosed)
                    return;
                Work(_left.Bytes, _left.Start, _left.End);
            }

            if (!_isClosed && (seen & ~LoopEvents.Writable) != 0)
            {
                _isHungUp |= (seen & (LoopEvents.HangUp | LoopEvents.Error)) != 0;
                if (CanRead)
                    Receive();
                else
                    Watch();
            }
        }
        catch (Exception error) when (!_isInCache)
        {
            Fail(error);
        }
    }

    /// <summary>Commands of it have ended, or its turn was over before its input was.</summary>
    internal void Resume()
    {
        _isDue = false;
        if (_isClosed || HasUnsent)
            return;
        try
        {
            Work(_left.Bytes, _left.Start, _left.End);
            if (_isHungUp && !_isClosed && CanRead)
                Receive();
        }
        catch (Exception error) when (!_isInCache)
        {
            Fail(error);
        }
    }

    /// <summary>Ends it if it has been silent, or has left its answers unread, for too long.</summary>
    /// <param name="idleNanos">Longest silence; 0 is no limit.</param>
    /// <param name="stallNanos">Longest time without reading; 0 is no limit.</param>
    internal void CheckTime(long idleNanos, long stallNanos)
    {
        long age = _loop.NowNanos - _movedNanos;
        if (_isClosed)
            return;
        if (HasUnsent)
        {
            if (stallNanos > 0 && age >= stallNanos)
            {
                _context.Counters.CountStalled();
                Close();
            }
        }
        else if (idleNanos > 0 && age >= idleNanos && _window.IsEmpty)
        {
            _context.Counters.CountIdleKick();
            Close();
        }
    }

    /// <summary>Somebody wants it to end.</summary>
    internal void Look()
    {
        if (_isAborted)
            Close();
        else if (_isDraining)
            Resume();
    }

    private void Fail(Exception error)
    {
        MemcachedLog.ConnectionFailed(_context.Logger, error);
        Close();
    }

    private void Receive()
    {
        byte[] buffer = _loop.Input;
        int start = 0, end = 0;
        if (!_left.IsEmpty)
        {
            _left.MakeRoom();
            (buffer, start, end) = (_left.Bytes, _left.Start, _left.End);
        }

        int count = StreamSocket.Receive(_socket, buffer.AsSpan(end));
        if (count < 0)
        {
            if (-count is not (SystemError.Again or SystemError.Interrupted))
                Close();
            return;
        }

        _movedNanos = _loop.NowNanos;
        if (count == 0)
            _hasEnded = true;
        else
            _context.Counters.CountRead(count);
        Work(buffer, start, end + count);
    }

    // Answers what has ended and takes from the input what can be taken, then sends.
    private void Work(byte[] buffer, int start, int end)
    {
        ParseResult result = Advance(buffer, ref start, end);
        _left.Keep(buffer, start, end);
        _isBlocked = result == ParseResult.NeedsRoom;
        if (_isClosed)
            return;
        if (_loop.Output.Length > 0)
            Send();
        if (_isClosed)
            return;
        bool isDone = _isOver ||
            (_window.IsEmpty && (result == ParseResult.Ended || (result == ParseResult.NeedsInput && (_hasEnded || _isDraining))));
        if (isDone && !HasUnsent)
        {
            Close();
            return;
        }

        _isOver |= isDone;
        if (result == ParseResult.Took && !HasUnsent && !_isOver && !_isDue)
        {
            // Its turn is over, its input is not.
            if (!_left.IsEmpty)
                _context.Counters.CountYield();
            _isDue = true;
            _loop.Continue(this);
        }

        if (HasUnsent || (CanRead && (_watched & LoopEvents.Readable) == 0))
            Watch();
    }

    private ParseResult Advance(byte[] buffer, ref int start, int end)
    {
        _answered = 0;
        for (int step = 0; step < MostSteps && _answered < _mostCommands; step++)
        {
            while (!_isOver && _window.TryPeekDone(out CommandSlot? slot))
            {
                (_wroteHead, _wroteValue) = (false, false);
                Answer(slot);
                _window.Retire();
                if (!HasRoomToAnswer())
                    return ParseResult.Took;
            }

            if (_isOver)
                return ParseResult.Ended;
            ParseResult result = Parse(buffer.AsSpan(start, end - start), out int consumed);
            start += consumed;
            if (result == ParseResult.Took)
            {
                if (!HasRoomToAnswer())
                    return ParseResult.Took;
            }
            else if (!_window.IsHeadDone)
            {
                return result;
            }
        }

        return ParseResult.Took;
    }

    private ParseResult Parse(ReadOnlySpan<byte> unread, out int consumed)
    {
        consumed = 0;
        if (_protocol is null)
        {
            if (unread.IsEmpty)
                return ParseResult.NeedsInput;
            _protocol = ProtocolSelector.Select(unread[0], _context);
        }

        return _protocol.Advance(unread, _window, out consumed);
    }

    private void Answer(CommandSlot slot)
    {
        ReplyBuffer output = _loop.Output;
        _answered++;
        if (!_wroteHead && _protocol!.WriteHead(slot, slot.Reply, slot.Value.Length, output))
        {
            output.Write(slot.Value.Written.Span);
            _wroteValue = true;
        }

        _isOver |= !_protocol!.WriteTail(slot, _wroteValue, output);
    }

    private bool HasRoomToAnswer()
    {
        if (_loop.Output.Length < SendThreshold)
            return true;
        Send();
        return !HasUnsent && !_isClosed;
    }

    private void Send()
    {
        ReadOnlySpan<byte> bytes = _loop.Output.Written.Span;
        int sent = Send(bytes);
        if (sent >= 0 && sent < bytes.Length)
        {
            bytes = bytes[sent..];
            _unsent = ArrayPool<byte>.Shared.Rent(bytes.Length);
            bytes.CopyTo(_unsent);
            (_unsentStart, _unsentEnd) = (0, bytes.Length);
        }

        _loop.Output.Clear();
        if (sent < 0)
            Close();
    }

    private void SendUnsent()
    {
        int sent = Send(_unsent.AsSpan(_unsentStart, _unsentEnd - _unsentStart));
        if (sent < 0)
        {
            Close();
            return;
        }

        _unsentStart += sent;
        if (!HasUnsent)
        {
            ArrayPool<byte>.Shared.Return(_unsent);
            (_unsent, _unsentStart, _unsentEnd) = ([], 0, 0);
            Watch();
        }
    }

    // Bytes that the system took; −1 if the client is gone.
    private int Send(ReadOnlySpan<byte> bytes)
    {
        int sent = StreamSocket.Send(_socket, bytes);
        if (sent < 0)
            return -sent is SystemError.Again or SystemError.Interrupted or SystemError.NoBuffers ? 0 : -1;
        _movedNanos = _loop.NowNanos;
        _context.Counters.CountWritten(sent);
        return sent;
    }

    private void Watch()
    {
        LoopEvents wanted = (CanRead ? LoopEvents.Readable : LoopEvents.None) | (HasUnsent ? LoopEvents.Writable : LoopEvents.None);
        if (_isHungUp && !CanRead)
        {
            // It would be told for ever that the other side is gone. What is to be done about it happens when a command ends.
            if (HasUnsent)
            {
                Close();
            }
            else if (_number >= 0)
            {
                _loop.Seat.Forget(_socket, _number);
                _number = -1;
            }
        }
        else if (wanted != _watched && _number >= 0)
        {
            _watched = wanted;
            _loop.Seat.Change(_socket, _number, wanted);
        }
    }

    private void Close()
    {
        if (_isClosed)
            return;
        _isClosed = true;
        if (_number >= 0)
            _loop.Seat.Forget(_socket, _number);
        _socket.Dispose();
        _loop.Output.Clear();
        _context.Connections.Remove(this);
        Release();
    }

    // The cache gives back what it was lent when an operation ends, and not before.
    private void Release()
    {
        if (_window.IsWorking || _isReleased)
            return;
        _isReleased = true;
        _window.Release();
        _left.Clear();
        if (_unsent.Length > 0)
            ArrayPool<byte>.Shared.Return(_unsent);
        _unsent = [];
        _loop.Remove(this);
    }
}
