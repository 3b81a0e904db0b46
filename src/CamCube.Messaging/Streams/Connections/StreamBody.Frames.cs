using CamCube.Messaging.Streams.Paths;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>What of it goes into packets, and what becomes of that.</summary>
internal sealed partial class StreamBody
{
    /// <summary>A frame of the peer. False: it cannot be.</summary>
    public bool TryTake(in FrameReader frame)
    {
        bool canBe = TryTakeAny(frame);

        // Now, so that it is not said to be blocked beside the credit that has just come.
        NoteKnown();
        return canBe;
    }

    private bool TryTakeAny(in FrameReader frame)
    {
        switch (frame.Type)
        {
            case FrameType.Data:
                return TryTakeData(frame);
            case FrameType.Credit:
                return TryTakeCredit(frame);
            case FrameType.Reset:
                TakeReset(frame);
                return true;
            case FrameType.Stop:
                TakeStop(frame.Code);
                return true;
            case FrameType.Blocked:
                if (!_isReadVoid)
                {
                    TakeBlocked(frame.Offset);
                }

                return true;
            default:
                return false;
        }
    }

    /// <summary>The connection is over.</summary>
    public void EndBy(in StreamEnd end)
    {
        if (TryAskAgain(end.Reason, hint: null))
        {
            return;
        }

        _isWriteVoid = true;
        _send.End(Host.SendMemory);
        (_due, _underWay) = (Say.Nothing, Say.Nothing);
        Finish(end);
        NoteDone();
    }

    /// <summary>Nothing is known of what the peer did with it, and nothing of it has left that could be lost. What has
    /// come is not known of one that is not read: there the peer must not have heard of it.</summary>
    public bool IsUnanswered =>
        _send is { Credit: 0, IsInFlight: false }
        && _receive.InOrder == 0
        && _receive.Final < 0
        && !(_isReadVoid && _isKnown)
        && !_isWriteVoid
        && (Id & 1) == (_connection.Key.IsOpener ? 0 : 1)
        && !End.HasEnded;

    /// <summary>Leaves its connection: nobody at the other end has answered for it.</summary>
    public void Detach()
    {
        _connection.Drop(this);
        IsDetached = true;
        (_due, _underWay) = (Say.Nothing, Say.Nothing);
    }

    /// <summary>Begins on another connection what on the last one led nowhere.</summary>
    public void Attach(StreamConnection connection, uint id)
    {
        (_connection, Id, IsDetached, _isKnown, _isBlockedSaid) = (connection, id, false, false, false);
        _mayFly = false;
        _send.BeginAnew();
        _due = Say.First;
        Due(
            _isReadVoid ? Say.Stop
            : _receive.Limit > 0 ? Say.Credit
            : Say.Nothing
        );
    }

    /// <summary>No root was found in time.</summary>
    public void GiveUp(in StreamEnd end)
    {
        _isWriteVoid = true;
        _send.End(Host.SendMemory);
        Finish(end);
        NoteDone();
    }

    /// <summary>Writes what is to be said beside bytes. Returns how many frames.</summary>
    public int WriteControl(ConnectionPath path, ref FrameWriter writer)
    {
        int frames = 0;

        // Of a stream that the peer may not have heard of there is nothing to stop yet, and what it may send is said
        // behind what stream it is: before, it would mean nothing.
        Say later = _isKnown ? Say.Nothing : _due & (Say.Stop | Say.Credit);
        for (Say say = Say.Credit; say <= Say.Blocked; say = (Say)((int)say << 1))
        {
            if ((_due & ~later & say) != 0)
            {
                _due &= ~say;
                frames += WriteSay(say, path, ref writer) ? 1 : 0;
            }
        }

        return frames;
    }

    /// <summary>Writes bytes, as many as there is room for. Returns how many frames.</summary>
    public int WriteData(ConnectionPath path, ref FrameWriter writer)
    {
        if (!HasData)
        {
            return 0;
        }

        int room = writer.Room - (_isKnown ? FrameWriter.DataLength : FrameWriter.FirstLength);
        room -= !_isKnown && room > FrameWriter.CreditLength ? FrameWriter.CreditLength : 0;
        int most = Math.Min(room, ushort.MaxValue);
        if (most <= 0)
        {
            return 0;
        }

        if (!_send.TryTake(most, Flight, out long offset, out int length, out bool isLast) && _isKnown)
        {
            return 0;
        }

        WriteBytes(offset, length, isLast, path, ref writer);
        SayIfBlocked();
        return 1 + (_isKnown ? 0 : WriteFirstCredit(path, ref writer));
    }

    /// <summary>Writes once more what a packet carried, if it still means something.</summary>
    public bool WriteAgain(in SentFrame frame, ConnectionPath path, ref FrameWriter writer)
    {
        if (frame.Type != FrameType.Data)
        {
            return writer.Room >= MostControl && WriteSay(frame.Type.ToSay(), path, ref writer);
        }

        bool isWanted = !_isWriteVoid && (_send.IsKept(frame.Offset, frame.Length, frame.IsLast) || !_isKnown);
        if (!isWanted || writer.Room < FrameWriter.FirstLength + frame.Length)
        {
            return false;
        }

        WriteBytes(frame.Offset, frame.Length, frame.IsLast, path, ref writer);
        return true;
    }

    /// <summary>What a packet carried has arrived.</summary>
    public void Arrived(in SentFrame frame)
    {
        if (frame.Type != FrameType.Data)
        {
            _underWay &= ~frame.Type.ToSay();
            NoteDone();
            return;
        }

        if (frame.IsFirst)
        {
            NoteKnown();
        }

        if (frame.IsFlight && _isFlightVoid)
        {
            // Not what came of it: all of it is sent again.
            return;
        }

        ArrivedBytes(frame.Offset, frame.Length, frame.IsLast);
    }

    private void ArrivedBytes(long offset, int length, bool isLast)
    {
        long before = _send.Acknowledged;
        if (_send.Arrived(Host.SendMemory, offset, length, isLast))
        {
            Host.OfferToWriters();
        }

        SayIfBlocked();
        if (_send.Acknowledged > before && _wasFull && Writable > 0)
        {
            _wasFull = false;
            Host.Tell(this, StreamNews.Writable);
        }

        NoteDone();
    }

    /// <summary>What a packet carried is lost.</summary>
    public void Lose(in SentFrame frame)
    {
        if (frame.Type == FrameType.Data)
        {
            _due |= frame.IsFirst && !_isKnown ? Say.First : Say.Nothing;
            if (!_isWriteVoid && !(frame.IsFlight && _isFlightVoid))
            {
                _send.Lost(frame.Offset, frame.Length, frame.IsLast);
            }

            _connection.Wants(this);
        }
        else if (IsStillSaid(frame))
        {
            Due(frame.Type.ToSay());
        }
    }

    // The peer has heard of it: its first packet was acknowledged, or the peer says something of it.
    private void NoteKnown()
    {
        if (!_isKnown)
        {
            _isKnown = true;
            _due &= ~Say.First;
            Due(_due & (Say.Stop | Say.Credit));
            SayIfBlocked();
        }
    }

    private bool TryTakeData(in FrameReader frame)
    {
        if (_isReadVoid)
        {
            return true;
        }

        if (_receive.IsFlight(frame.Offset + frame.Bytes.Length))
        {
            AllowFlight();
        }

        long before = _receive.InOrder;
        bool wasWhole = _receive.IsWhole;
        if (!_receive.TryTake(Host.ReceiveMemory, frame.Offset, frame.Bytes, frame.IsLast))
        {
            return false;
        }

        if (_receive.InOrder > before || (_receive.IsWhole && !wasWhole))
        {
            Host.Tell(this, StreamNews.Readable);
            NoteDone();
        }

        if (frame.IsLast)
        {
            Host.OfferToReaders();
        }

        return true;
    }

    private bool TryTakeCredit(in FrameReader frame)
    {
        PeerConsumed = Math.Max(PeerConsumed, Math.Min(frame.Offset, _send.Written));
        bool wasInFlight = _send.IsInFlight;
        if (_send.Allow(frame.Limit))
        {
            _isBlockedSaid = false;
            if (wasInFlight)
            {
                Settle(frame.HasDropped);
            }

            SayIfBlocked();

            _connection.Wants(this);
        }

        return frame.Offset <= _send.Written;
    }

    // The peer says what became of the first flight.
    private void Settle(bool isVoid)
    {
        _isFlightVoid = isVoid;
        if (isVoid)
        {
            _send.LoseFlight();
        }
        else
        {
            ArrivedBytes(0, 0, isLast: false);
        }
    }

    // Bytes came that nobody was allowed to send: they are kept if there is memory, and nobody waits for it.
    private void AllowFlight()
    {
        if (!Host.IsShort)
        {
            TryAllow();
        }
        else if (!_waitsToAllow)
        {
            _waitsToAllow = true;
            Host.WaitToAllow(this);
        }
    }

    private void TakeReset(in FrameReader frame)
    {
        StreamEnd end = frame.Why switch
        {
            ResetWhy.Refused => new StreamEnd(StreamEndReason.Refused),
            ResetWhy.NotRoot => new StreamEnd(StreamEndReason.RootMoved) { Root = RootOf(frame.Code) },
            _ => new StreamEnd(StreamEndReason.Reset, frame.Code),
        };
        if (TryAskAgain(end.Reason, end.Root))
        {
            return;
        }

        Void(Say.Nothing);
        Finish(end);
        NoteDone();
    }

    private Coordinate RootOf(uint rank) =>
        rank < (uint)Host.Server.Shape.Count ? Host.Server.Shape.At((int)rank) : Peer;

    // What nobody has answered for yet may still find another root, or another connection.
    private bool TryAskAgain(StreamEndReason reason, Coordinate? hint)
    {
        bool mayHelp = reason is StreamEndReason.RootMoved or StreamEndReason.PeerLost or StreamEndReason.PeerRestarted;
        if (!mayHelp || _ask is null || !IsUnanswered || !Host.IsRunning)
        {
            return false;
        }

        _ask.Hint = hint;
        Detach();
        Host.AskAgain(this, _ask);
        return true;
    }

    private void TakeBlocked(long offset)
    {
        bool isNew = _receive.TryGrow(Host.ReceiveMemory, offset, Host.Options.MostCredit);

        // It says so once: who has not read yet what is here remembers it until then.
        _isPeerBlocked = !isNew;
        if (!isNew && _receive.IsStarved && !_waitsToAllow)
        {
            _waitsToAllow = true;
            Host.WaitToAllow(this);
        }

        Due(Say.Credit);
    }

    private void TakeStop(uint code)
    {
        (_isStopped, _stopCode) = (true, code);
        if (!_isWriteVoid)
        {
            _isWriteVoid = true;
            _send.End(Host.SendMemory);
            Host.Tell(this, StreamNews.Writable);
        }

        NoteDone();
    }

    // The last word of its kind, and not known to have arrived: an earlier one may arrive while it is lost.
    private bool IsStillSaid(in SentFrame frame) =>
        frame.Type switch
        {
            FrameType.Credit => (frame.Offset == _receive.Limit || _receive.Final >= 0) && !_isReadVoid,
            FrameType.Blocked => frame.Offset == _send.Credit && IsStillBlocked(),
            _ => (_underWay & frame.Type.ToSay()) != 0,
        };

    // What has been lost goes first: then it is said anew.
    private bool IsStillBlocked() => _isBlockedSaid = _send.IsBlocked(Flight);

    private void WriteBytes(long offset, int length, bool isLast, ConnectionPath path, ref FrameWriter writer)
    {
        Span<byte> room = writer.Data(Id, offset, length, isLast, _isKnown ? null : Purpose);
        _send.Read(offset, room);
        _due &= ~Say.First;
        bool isFlight = _send.Credit == 0 && offset + length > 0;
        path.Add(new SentFrame(FrameType.Data, Id, offset, length, isLast, !_isKnown, isFlight));
    }

    // Beside what stream it is, and each time that is said: the peer has use for it at once.
    private int WriteFirstCredit(ConnectionPath path, ref FrameWriter writer)
    {
        bool canBe = _receive.Limit > 0 && !_isReadVoid && writer.Room >= FrameWriter.CreditLength;
        _due &= canBe ? ~Say.Credit : (Say)byte.MaxValue;
        return canBe && WriteSay(Say.Credit, path, ref writer) ? 1 : 0;
    }

    private bool WriteSay(Say say, ConnectionPath path, ref FrameWriter writer)
    {
        switch (say)
        {
            case Say.Credit when !_isReadVoid:
                writer.Credit(Id, _receive.Consumed, _receive.Limit, _receive.HasDropped);
                path.Add(new SentFrame(FrameType.Credit, Id, _receive.Limit));
                break;
            case Say.Reset:
                writer.Reset(Id, _why, _code, _send.Written);
                path.Add(new SentFrame(FrameType.Reset, Id));
                break;
            case Say.Stop:
                writer.Stop(Id, _code);
                path.Add(new SentFrame(FrameType.Stop, Id));
                break;
            case Say.Blocked when IsStillBlocked():
                writer.Blocked(Id, _send.Credit);
                path.Add(new SentFrame(FrameType.Blocked, Id, _send.Credit));
                break;
            default:
                return false;
        }

        _underWay |= say;
        return true;
    }
}
