using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// One client in the server's loop. What it sends is answered on the spot where this server has the key, from the
/// store's memory into the buffer that is sent; other commands wait in its window for the cube. While a client does not
/// read its answers, nothing more of it is read. Loop only, except where said otherwise.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LoopClient : IServedClient, ICommandOwner
{
    // Steps of the protocol in one turn; others are to have theirs.
    private const int MostSteps = 2_048;
    private readonly AcceptedClient _accepted;
    private readonly LoopSocket _socket;
    private readonly LoopTls? _tls;
    private readonly ClientLoop _loop;
    private readonly MemcachedContext _context;
    private readonly CommandWindow _window;
    private readonly LoopAnswers _answers;
    private readonly KeptInput _left = new();

    // When something was received from it or sent to it.
    private long _movedNanos;

    // The client sends no more; a command waits for earlier ones.
    private bool _hasEnded;
    private bool _isBlocked;
    private bool _isDue;
    private bool _isReleased;
    private volatile bool _isDraining;
    private volatile bool _isAborted;

    public LoopClient(in AcceptedClient accepted, ClientLoop loop, MemcachedContext context)
    {
        (_accepted, _socket, _loop, _context) = (accepted, new LoopSocket(accepted.Socket), loop, context);
        _answers = new LoopAnswers(loop, context.Options.CommandsPerTurn);
        _window = new CommandWindow(context, this, _answers);
        _tls = accepted.HasTls ? new LoopTls(_socket, loop, context.Tls!, context.Options.TlsWriteBuffer) : null;
    }

    /// <inheritdoc/>
    public LinkedListNode<IServedClient>? Node { get; set; }

    /// <summary>Its place in the loop's list.</summary>
    public int Index { get; set; }

    private bool CanRead => !_hasEnded && !_answers.IsOver && !_isBlocked && !_isDraining && !_socket.HasUnsent;

    /// <inheritdoc/>
    public ConnectionFacts Describe()
    {
        // Whole seconds of either, as memcached counts them.
        const long Second = 1_000_000_000;
        string state =
            _answers.Protocol is { AwaitsValue: true } ? ConnectionFacts.ReadingValue
            : !_window.IsEmpty ? ConnectionFacts.InCommand
            : ConnectionFacts.Waiting;
        long idle = Math.Max(0, (_loop.NowNanos / Second) - (_movedNanos / Second));
        return new ConnectionFacts(_socket.Descriptor, _accepted.Text, _accepted.Listener, state, idle);
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
        else if (_socket.IsClosed)
        {
            Release();
        }
        else if (!_isDue)
        {
            _isDue = true;
            _loop.Continue(this);
        }
    }

    /// <summary>It is connected: from now on it is watched.</summary>
    public void Begin()
    {
        try
        {
            _movedNanos = _loop.NowNanos;
            _socket.Watch(_loop.Seat, this);
            GoOn();
        }
        catch (Exception error)
        {
            if (Fail(error))
            {
                throw;
            }
        }
    }

    /// <summary>Something happened at its socket.</summary>
    public void Happened(LoopEvents seen)
    {
        if (_socket.IsClosed)
        {
            return;
        }

        try
        {
            _socket.Note(seen);
            if ((seen & LoopEvents.Writable) != 0 && _socket.HasUnsent)
            {
                SendUnsent();
            }

            GoOn();
        }
        catch (Exception error)
        {
            if (Fail(error))
            {
                throw;
            }
        }
    }

    /// <summary>
    /// As <see cref="Happened"/>, but only receives, as <see cref="LoopSocket.Receive"/>, into some of the loop's
    /// input: <see cref="WorkAhead"/> does the rest. False: nothing was done, and it is to have its turn as a whole.
    /// </summary>
    public bool TryReceiveAhead(LoopEvents seen, Span<byte> room, out int length)
    {
        length = 0;
        if (seen != LoopEvents.Readable || _tls is not null || _socket.IsClosed)
        {
            return false;
        }

        _socket.Note(seen);
        if (!_left.IsEmpty || !CanReceive)
        {
            return false;
        }

        length = _socket.Receive(room);
        return true;
    }

    /// <summary>The place of the first command's key in input, if it can be told at a glance.</summary>
    public Range KeyAhead(ReadOnlySpan<byte> input) =>
        _answers.Protocol is not null && _answers.Protocol.TryGlance(input, out Range key) ? key : default;

    /// <summary>Works on what <see cref="TryReceiveAhead"/> received, from a place in the loop's input on.</summary>
    public void WorkAhead(byte[] input, int start, int length)
    {
        try
        {
            Take(input, start, start, length);
            GoOn();
        }
        catch (Exception error)
        {
            if (Fail(error))
            {
                throw;
            }
        }
    }

    /// <summary>Keeps it for another turn: another client's command has ended this one.</summary>
    public void PostponeAhead(byte[] input, int start, int length)
    {
        if (length == LoopSocket.Gone)
        {
            Close();
        }

        if (length < 0)
        {
            return;
        }

        _movedNanos = _loop.NowNanos;
        _hasEnded |= length == 0;
        _loop.Traffic.CountRead(length);
        _left.Keep(input, start, start + length);
        if (!_isDue)
        {
            HaveTurn();
        }
    }

    /// <summary>As <see cref="Happened"/>, but not now: another client's command has ended this turn.</summary>
    public void Postpone(LoopEvents seen)
    {
        if (_socket.IsClosed)
        {
            return;
        }

        _socket.Note(seen);
        if (_socket.HasUnsent)
        {
            _socket.AskForRoom();
        }
        else if (!_isDue)
        {
            HaveTurn();
        }
    }

    /// <summary>Commands of it have ended, or its turn was over before its input was.</summary>
    public void Resume()
    {
        _isDue = false;
        if (_socket.IsClosed || _socket.HasUnsent)
        {
            return;
        }

        try
        {
            Work(_left.Bytes, _left.Start, _left.End);
            GoOn();
        }
        catch (Exception error)
        {
            if (Fail(error))
            {
                throw;
            }
        }
    }

    /// <summary>Ends it if it has been silent, or has left its answers unread, for too long.</summary>
    /// <param name="idleNanos">Longest silence; 0 is no limit.</param>
    /// <param name="stallNanos">Longest time without reading; 0 is no limit.</param>
    /// <param name="agreeNanos">Longest time until it has agreed on TLS; 0 is no limit.</param>
    public void CheckTime(long idleNanos, long stallNanos, long agreeNanos)
    {
        long age = _loop.NowNanos - _movedNanos;
        if (_socket.IsClosed)
        {
            return;
        }

        if (_tls is { IsAgreed: false })
        {
            if (agreeNanos > 0 && age >= agreeNanos)
            {
                Refuse($"not within {agreeNanos / 1_000_000_000} s");
            }
        }
        else if (_socket.HasUnsent)
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
            _tls?.TryEnd();
            Close();
        }
    }

    /// <summary>Somebody wants it to end.</summary>
    public void Look()
    {
        if (_isAborted || (_isDraining && _tls is { IsAgreed: false }))
        {
            Close();
        }
        else if (_isDraining)
        {
            Resume();
        }
    }

    // True: it is the cache's failure, and who runs the cache is to know; of a part he knows. What became of the
    // command nobody knows, so its client goes.
    private bool Fail(Exception error)
    {
        bool isCaches = _answers.IsInCache;
        _answers.LeaveCache();
        if (error is CachePartException)
        {
            isCaches = false;
        }
        else if (isCaches)
        {
            _loop.Seat.Fault(error);
        }
        else
        {
            MemcachedLog.ConnectionFailed(_context.Logger, error);
        }

        Close();
        return isCaches;
    }

    // Receives once if something may be there and there is a place for it, and has another turn for the rest.
    private void GoOn()
    {
        if (CanReceive && TryGetRoom(out byte[] room, out int start, out int end))
        {
            Receive(room, start, end);
        }

        if (_socket.IsHungUp && _socket.HasUnsent)
        {
            Close();
        }
        else if (CanReceive)
        {
            HaveTurn();
        }
    }

    // Not in the middle of its input, so that what was received and not worked on has a bound.
    private bool CanReceive => (_tls?.HasInput ?? _socket.HasInput) && !_isDue && !_socket.IsClosed && CanRead;

    private void HaveTurn()
    {
        _isDue = true;
        _loop.Continue(this);
    }

    // Behind what it has of its own, or else the loop's input, which it gets only while no bytes of others are in
    // there.
    private bool TryGetRoom(out byte[] buffer, out int start, out int end)
    {
        (start, end) = (0, 0);
        if (_left.IsEmpty)
        {
            return _loop.TryLendInput(out buffer);
        }

        _left.MakeRoom(_tls is null ? 1 : LoopTls.LeastRoom);
        (buffer, start, end) = (_left.Bytes, _left.Start, _left.End);
        return true;
    }

    private void Receive(byte[] buffer, int start, int end)
    {
        if (_tls is not null)
        {
            ReceiveSealed(buffer, start, end);
        }
        else
        {
            Take(buffer, start, end, _socket.Receive(buffer.AsSpan(end)));
        }
    }

    private void ReceiveSealed(byte[] buffer, int start, int end)
    {
        bool wasAgreed = _tls!.IsAgreed;
        int count = _tls.Receive(buffer.AsMemory(end));
        if (_tls.IsAgreed && !wasAgreed)
        {
            _movedNanos = _loop.NowNanos;
        }

        if (count == LoopSocket.Gone && !_tls.IsAgreed)
        {
            Refuse(_tls.Refusal ?? "it is gone");
        }
        else
        {
            Take(buffer, start, end, count);
        }
    }

    // What a receive behind a buffer's bytes has brought.
    private void Take(byte[] buffer, int start, int end, int count)
    {
        if (count == LoopSocket.Gone)
        {
            Close();
        }

        if (count < 0)
        {
            return;
        }

        _movedNanos = _loop.NowNanos;
        _hasEnded |= count == 0;
        _loop.Traffic.CountRead(count);
        Work(buffer, start, end + count);
    }

    // Answers what has ended and takes from the input what can be taken, then sends.
    private void Work(byte[] buffer, int start, int end)
    {
        ParseResult result = Advance(buffer, ref start, end);
        _left.Keep(buffer, start, end);
        _isBlocked = result == ParseResult.NeedsRoom;
        if (_socket.IsClosed)
        {
            return;
        }

        if (_loop.Output.Length > 0)
        {
            Send();
        }

        if (_socket.IsClosed)
        {
            return;
        }

        bool isDone =
            _answers.IsOver
            || (
                _window.IsEmpty
                && (result == ParseResult.Ended || (result == ParseResult.NeedsInput && (_hasEnded || _isDraining)))
            );
        if (isDone && !_socket.HasUnsent && _tls?.TryEnd() != false)
        {
            Close();
            return;
        }

        _answers.IsOver |= isDone;
        if (result == ParseResult.Took && !_socket.HasUnsent && !_answers.IsOver && !_isDue)
        {
            // Its turn is over, its input is not.
            if (!_left.IsEmpty)
            {
                _context.Counters.CountYield();
            }

            HaveTurn();
        }
    }

    private ParseResult Advance(byte[] buffer, ref int start, int end)
    {
        _answers.BeginTurn();
        for (int step = 0; step < MostSteps && !_answers.HasHadTurn; step++)
        {
            while (!_answers.IsOver && _window.TryPeekDone(out CommandSlot? slot))
            {
                _answers.Answer(slot);
                _window.Retire();
                if (!HasRoomToAnswer())
                {
                    return ParseResult.Took;
                }
            }

            if (_answers.IsOver)
            {
                return ParseResult.Ended;
            }

            ParseResult result = Parse(buffer.AsSpan(start, end - start), out int consumed);
            start += consumed;
            if (result == ParseResult.Took)
            {
                if (!HasRoomToAnswer())
                {
                    return ParseResult.Took;
                }
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
        if (_answers.Protocol is null)
        {
            if (unread.IsEmpty)
            {
                return ParseResult.NeedsInput;
            }

            _answers.Protocol = ProtocolSelector.Select(unread[0], _context);
        }

        return _answers.Protocol.Advance(unread, _window, out consumed);
    }

    private bool HasRoomToAnswer()
    {
        if (_loop.Output.Length < LoopAnswers.SendThreshold)
        {
            return true;
        }

        Send();
        return !_socket.HasUnsent && !_socket.IsClosed;
    }

    private void Send()
    {
        int sent = _tls is null ? _socket.Send(_loop.Output.Written.Span) : _tls.Send(_loop.Output.Written);
        _loop.Output.Clear();
        NoteSent(sent);
        if (sent > 0)
        {
            _loop.Traffic.CountWritten(sent);
        }
    }

    private void SendUnsent()
    {
        int sent = _socket.SendUnsent();
        NoteSent(sent);
        if (sent > 0 && _tls is null)
        {
            _loop.Traffic.CountWritten(sent);
        }

        if (!_socket.HasUnsent && !_socket.IsClosed)
        {
            Work(_left.Bytes, _left.Start, _left.End);
        }
    }

    private void NoteSent(int sent)
    {
        if (sent < 0)
        {
            Close();
        }

        if (sent <= 0)
        {
            return;
        }

        _movedNanos = _loop.NowNanos;
    }

    // It has not agreed on TLS.
    private void Refuse(string reason)
    {
        _context.Counters.CountHandshakeError();
        MemcachedLog.HandshakeFailed(_context.Logger, _accepted.Text, reason);
        Close();
    }

    private void Close()
    {
        if (_socket.IsClosed)
        {
            return;
        }

        _tls?.Close();
        _socket.Close();
        _loop.Output.Clear();
        _context.Connections.Remove(this);
        Release();
    }

    // The cache gives back what it was lent when an operation ends, and not before.
    private void Release()
    {
        if (_window.IsWorking || _isReleased)
        {
            return;
        }

        _isReleased = true;
        _window.Release();
        _left.Clear();
        _loop.Remove(this);
    }
}
