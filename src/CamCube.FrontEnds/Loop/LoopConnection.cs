using System.Runtime.Versioning;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Loop;

/// <summary>
/// One client in the server's loop. What it sends is answered on the spot where its protocol can, into the buffer that
/// is sent; other questions wait for the service. While a client does not read its answers, nothing more of it is read.
/// Loop only, except where said otherwise.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LoopConnection : IConnection, IQuestionOwner
{
    private readonly AcceptedClient _accepted;
    private readonly LoopTransport _transport;
    private readonly ConnectionLoop _loop;
    private readonly ConnectionTurn _turn;
    private readonly ListenerContext _context;
    private readonly IConnectionProtocol _protocol;
    private readonly LoopProtocol _work;
    private readonly KeptInput _left = new();

    // The client sends no more; a question waits for earlier ones.
    private bool _hasEnded;
    private bool _isBlocked;
    private bool _isHeld;
    private bool _isDue;

    // The system has told that it takes more, while others had their turns.
    private bool _hasRoom;
    private bool _isReleased;
    private volatile bool _isDraining;
    private volatile bool _isAborted;

    public LoopConnection(in AcceptedClient accepted, ConnectionLoop loop, ListenerContext context)
    {
        (_accepted, _loop, _turn, _context) = (accepted, loop, loop.Turn, context);
        _transport = new LoopTransport(accepted, loop, context);
        _protocol = loop.CreateProtocol(this);
        _work = new LoopProtocol(_protocol, loop.Turn, _transport, context, () => _accepted.Text);
    }

    /// <inheritdoc/>
    public LinkedListNode<IConnection>? Node { get; set; }

    /// <summary>Its place in the loop's list.</summary>
    public int Index { get; set; }

    private bool CanRead => !_hasEnded && !_work.IsOver && !_isBlocked && !_isDraining && !_transport.HasUnsent;

    // Not in the middle of its input, so that what was received and not worked on has a bound.
    private bool CanReceive => _transport.HasInput && !_isDue && !_transport.IsClosed && CanRead;

    // What nobody waits for any more is not done when others let it go on.
    private bool IsLeftHeld => _isHeld && (_hasEnded || _isDraining || _transport.HasPeerEnded);

    /// <inheritdoc/>
    public ConnectionFacts Describe()
    {
        // Whole seconds of either.
        const long Second = 1_000_000_000;
        long idle = Math.Max(0, (_loop.NowNanos / Second) - (_transport.MovedNanos / Second));
        return new ConnectionFacts(
            _transport.Descriptor,
            _accepted.Text,
            _accepted.Listener,
            ConnectionFacts.StateOf(_protocol),
            idle
        );
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
    public void QuestionEnded()
    {
        if (!_loop.IsHere)
        {
            _loop.QuestionEndedElsewhere(this);
        }
        else if (_transport.IsClosed)
        {
            Release();
        }
        else if (!_isDue)
        {
            HaveTurn();
        }
    }

    /// <summary>It is connected: from now on it is watched.</summary>
    public void Begin()
    {
        try
        {
            _transport.Begin(this, _accepted.HasTls);
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
        if (_transport.IsClosed)
        {
            return;
        }

        try
        {
            _transport.Note(seen);
            if ((seen & LoopEvents.Writable) != 0 && _transport.HasUnsent)
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
        if (seen != LoopEvents.Readable || _transport.HasTls || _transport.IsClosed)
        {
            return false;
        }

        _transport.Note(seen);
        if (!_left.IsEmpty || !CanReceive)
        {
            return false;
        }

        length = _transport.ReceiveAhead(room);
        return true;
    }

    /// <summary>Its protocol at work.</summary>
    public LoopProtocol Protocol => _work;

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

    /// <summary>Keeps it for another turn: another client's question has ended this one.</summary>
    public void PostponeAhead(byte[] input, int start, int length)
    {
        if (!TryCount(length))
        {
            return;
        }

        _left.Keep(input, start, start + length);
        if (!_isDue)
        {
            HaveTurn();
        }
    }

    /// <summary>As <see cref="Happened"/>, but not now: the turn of all is over, or another client's question has ended
    /// it.</summary>
    public void Postpone(LoopEvents seen)
    {
        if (_transport.IsClosed)
        {
            return;
        }

        _transport.Note(seen);
        _hasRoom |= (seen & LoopEvents.Writable) != 0;
        if (!_isDue)
        {
            HaveTurn();
        }
    }

    /// <summary>Questions of it have ended, or its turn was over before its input was.</summary>
    public void Resume()
    {
        (bool hasRoom, _hasRoom, _isDue) = (_hasRoom, false, false);
        if (_transport.IsClosed)
        {
            return;
        }

        try
        {
            if (!_transport.HasUnsent)
            {
                Work(_left.Bytes, _left.Start, _left.End);
            }
            else if (hasRoom)
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

    /// <summary>Ends it if it has been silent, or has left its answers unread, for too long.</summary>
    /// <param name="idleNanos">Longest silence; 0 is no limit.</param>
    /// <param name="stallNanos">Longest time without reading; 0 is no limit.</param>
    /// <param name="agreeNanos">Longest time until it has agreed on TLS; 0 is no limit.</param>
    public void CheckTime(long idleNanos, long stallNanos, long agreeNanos)
    {
        long age = _loop.NowNanos - _transport.MovedNanos;
        if (_transport.IsClosed)
        {
            return;
        }

        if (_transport.IsAgreeing)
        {
            if (agreeNanos > 0 && age >= agreeNanos)
            {
                Refuse($"not within {agreeNanos / 1_000_000_000} s");
            }
        }
        else if (_transport.HasUnsent)
        {
            if (stallNanos > 0 && age >= stallNanos)
            {
                _context.Counters.CountStalled();
                Close();
            }
        }
        else if (idleNanos > 0 && age >= idleNanos && _protocol.InWork == 0)
        {
            _context.Counters.CountIdleKick();
            _transport.TryEnd();
            Close();
        }
    }

    /// <summary>Somebody wants it to end.</summary>
    public void Look()
    {
        if (_isAborted || (_isDraining && _transport.IsAgreeing))
        {
            Close();
        }
        else if (_isDraining && !_isDue)
        {
            HaveTurn();
        }
    }

    // True: it is the service's failure, and who runs the service is to know; of a part he knows. What became of the
    // question nobody knows, so its client goes.
    private bool Fail(Exception error)
    {
        bool isServices = _turn.IsInService && error is not AnswerTooLongException and not ServicePartException;
        _turn.Forget();
        if (isServices)
        {
            _loop.Seat.Fault(error);
        }
        else if (error is not ServicePartException)
        {
            _context.Charge(_accepted.Text, error);
        }

        Close();
        return isServices;
    }

    // Receives once if something may be there and there is a place for it, and has another turn for the rest.
    private void GoOn()
    {
        if (CanReceive && TryGetRoom(out byte[] room, out int start, out int end))
        {
            int count = _transport.Receive(room, end);
            if (count == LoopSocket.Gone && _transport.IsAgreeing)
            {
                Refuse(_transport.Refusal);
            }
            else
            {
                Take(room, start, end, count);
            }
        }

        if ((_transport.IsHungUp && _transport.HasUnsent) || (IsLeftHeld && _transport.TryEnd()))
        {
            Close();
        }
        else if (CanReceive)
        {
            HaveTurn();
        }
    }

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

        _left.MakeRoom(_transport.LeastRoom);
        (buffer, start, end) = (_left.Bytes, _left.Start, _left.End);
        return true;
    }

    // What a receive behind a buffer's bytes has brought.
    private void Take(byte[] buffer, int start, int end, int count)
    {
        if (TryCount(count))
        {
            Work(buffer, start, end + count);
        }
    }

    // Whether a receive brought anything: bytes, or none, which is the end of the input.
    private bool TryCount(int count)
    {
        if (count == LoopSocket.Gone)
        {
            Close();
        }

        if (count < 0)
        {
            return false;
        }

        _hasEnded |= count == 0;
        _transport.CountRead(count);
        return true;
    }

    // Answers what has ended and takes from the input what can be taken, then sends.
    private void Work(byte[] buffer, int start, int end)
    {
        ProtocolStep step = _work.Advance(buffer, ref start, end);
        _left.Keep(buffer, start, end);
        _isBlocked = step is ProtocolStep.NeedsRoom or ProtocolStep.Held or ProtocolStep.Ended;
        _isHeld = step == ProtocolStep.Held;
        if (_turn.Output.Length > 0 && !_transport.IsGone)
        {
            _transport.Send(_turn.Output);
        }

        if (_transport.IsGone || (IsLeftHeld && _transport.TryEnd()))
        {
            Close();
        }

        if (_transport.IsClosed)
        {
            return;
        }

        bool isDone =
            _work.IsOver
            || (
                (step == ProtocolStep.Ended || (step == ProtocolStep.NeedsInput && (_hasEnded || _isDraining)))
                && _protocol.InWork == 0
            );
        if (isDone && !_transport.HasUnsent && _transport.TryEnd())
        {
            Close();
            return;
        }

        _work.IsOver |= isDone;
        if (step == ProtocolStep.Took && !_transport.HasUnsent && !_work.IsOver && !_isDue)
        {
            // Its turn is over, its input is not.
            if (!_left.IsEmpty)
            {
                _context.Counters.CountYield();
            }

            HaveTurn();
        }
    }

    private void SendUnsent()
    {
        _transport.SendUnsent();
        if (_transport.IsGone)
        {
            Close();
        }

        if (!_transport.HasUnsent && !_transport.IsClosed)
        {
            Work(_left.Bytes, _left.Start, _left.End);
        }
    }

    // It has not agreed on TLS.
    private void Refuse(string reason)
    {
        _context.Counters.CountHandshakeError();
        ConnectionLog.HandshakeFailed(_context.Logger, _context.Name, _accepted.Text, reason);
        Close();
    }

    private void Close()
    {
        if (_transport.IsClosed)
        {
            return;
        }

        _transport.Close();
        _turn.Output.Clear();
        _context.Connections.Remove(this);
        Release();
    }

    // What was lent comes back when an operation ends, and not before.
    private void Release()
    {
        if (_isReleased || _protocol.HasLent)
        {
            return;
        }

        _isReleased = true;
        _left.Clear();
        _loop.Remove(this);
        try
        {
            _protocol.Release();
        }
        catch (Exception error)
        {
            _context.Charge(_accepted.Text, error);
        }
    }
}
