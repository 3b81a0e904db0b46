using CamCube.Messaging.Streams.Paths;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>What of it goes into packets, and what becomes of that.</summary>
internal sealed partial class StreamBody
{
    /// <summary>Writes what is to be said beside bytes. Returns how many frames.</summary>
    public int WriteControl(ConnectionPath path, ref FrameWriter writer)
    {
        int frames = 0;

        // Of a stream that the peer may not have heard of there is nothing to stop yet.
        Say later = _isKnown ? Say.Nothing : _due & Say.Stop;
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

    /// <summary>Writes bytes, as many as there is room for. False: there are none.</summary>
    public bool WriteData(ConnectionPath path, ref FrameWriter writer)
    {
        if (!HasData)
        {
            return false;
        }

        int overhead = _isKnown ? FrameWriter.DataLength : FrameWriter.FirstLength;
        int most = Math.Min(writer.Room - overhead, ushort.MaxValue);
        if (most <= 0)
        {
            return false;
        }

        if (!_send.TryTake(most, out long offset, out int length, out bool isLast) && _isKnown)
        {
            return false;
        }

        WriteBytes(offset, length, isLast, path, ref writer);
        if (_send.IsBlocked && _blockedAt != _send.Credit)
        {
            _blockedAt = _send.Credit;
            Due(Say.Blocked);
        }

        return true;
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
            _isKnown = true;
            _due &= ~Say.First;
            Due(_due & Say.Stop);
        }

        long before = _send.Acknowledged;
        if (_send.Arrived(frame.Offset, frame.Length, frame.IsLast))
        {
            _host.OfferToWriters();
        }

        if (_send.Acknowledged > before && _wasFull && Writable > 0)
        {
            _wasFull = false;
            _host.Tell(this, StreamNews.Writable);
        }

        NoteDone();
    }

    /// <summary>What a packet carried is lost.</summary>
    public void Lose(in SentFrame frame)
    {
        if (frame.Type == FrameType.Data)
        {
            _due |= frame.IsFirst && !_isKnown ? Say.First : Say.Nothing;
            if (!_isWriteVoid)
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

    // The last word of its kind, and not known to have arrived: an earlier one may arrive while it is lost.
    private bool IsStillSaid(in SentFrame frame) =>
        frame.Type switch
        {
            FrameType.Credit => frame.Offset == _receive.Limit && !_isReadVoid,
            FrameType.Blocked => frame.Offset == _send.Credit && _send.IsBlocked,
            _ => (_underWay & frame.Type.ToSay()) != 0,
        };

    private void WriteBytes(long offset, int length, bool isLast, ConnectionPath path, ref FrameWriter writer)
    {
        Span<byte> room = writer.Data(Id, offset, length, isLast, _isKnown ? null : Label);
        _send.Read(offset, room);
        _due &= ~Say.First;
        path.Add(new SentFrame(FrameType.Data, Id, offset, length, isLast, !_isKnown));
    }

    private bool WriteSay(Say say, ConnectionPath path, ref FrameWriter writer)
    {
        switch (say)
        {
            case Say.Credit when !_isReadVoid:
                writer.Credit(Id, _receive.Consumed, _receive.Limit);
                path.Add(new SentFrame(FrameType.Credit, Id, _receive.Limit));
                break;
            case Say.Reset:
                writer.Reset(Id, _code, _send.Written);
                path.Add(new SentFrame(FrameType.Reset, Id));
                break;
            case Say.Stop:
                writer.Stop(Id, _code);
                path.Add(new SentFrame(FrameType.Stop, Id));
                break;
            case Say.Blocked when _send.IsBlocked:
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
