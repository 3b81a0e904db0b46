using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Receiving;

/// <summary>
/// Puts frames together that came in pieces. Their sender numbers the pieces of a frame one behind the other, and lanes
/// restore order, so a number that is not the next one says that a piece is lost, and with it the frame. There is room
/// for so many frames and no more, and none waits longer than it may for its next piece. Loop only; allocates memory of
/// a frame once, and nothing per packet.
/// </summary>
internal sealed class FrameJoiner
{
    private readonly IServer _server;
    private readonly IFrameEnd _end;
    private readonly TunnelCounters _counters;
    private readonly ServerTimer _timer;
    private readonly int _most;
    private readonly long _pieceWait;

    // Oldest first.
    private readonly List<JoinedFrame> _begun;
    private readonly Stack<JoinedFrame> _free;

    /// <summary>The joiner of a server.</summary>
    public FrameJoiner(IServer server, TunnelOptions options, IFrameEnd end, TunnelCounters counters)
    {
        (_server, _end, _counters, _most) = (server, end, counters, options.JoinedFrames);
        _pieceWait = (long)options.PieceWait.TotalNanoseconds;
        _begun = new List<JoinedFrame>(_most);
        _free = new Stack<JoinedFrame>(_most);
        _timer = server.CreateTimer(GiveUpOld);
    }

    /// <summary>Frames that wait for pieces.</summary>
    public int Waiting => _begun.Count;

    /// <summary>The next packet of a lane. False: it is no piece, and the caller's to give on.</summary>
    public bool TryTake(Packet packet)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        if (_begun.Count == 0 && !header.IsPiece)
        {
            return false;
        }

        int at = Find(packet);
        if (at >= 0)
        {
            int ahead = _begun[at].AheadOf(header);
            bool isNext = ahead == 0 && header.IsPiece && (header.Flags & TunnelFlags.First) == 0;
            if (isNext)
            {
                GoOn(at, packet);
                return true;
            }

            if (ahead >= 0)
            {
                // The lane has gone on without it.
                Break(at);
            }
        }

        if (header.IsPiece)
        {
            Begin(packet);
        }

        return header.IsPiece;
    }

    private void GoOn(int at, Packet packet)
    {
        JoinedFrame frame = _begun[at];
        if (!frame.Take(packet, _server.NowNanos))
        {
            _counters.Broken.Add();
            Break(at);
        }
        else if ((packet.Header<TunnelHeader>().Flags & TunnelFlags.Last) != 0)
        {
            Free(at);
            _end.Deliver(frame);
        }
    }

    private void Begin(Packet packet)
    {
        if ((packet.Header<TunnelHeader>().Flags & TunnelFlags.First) == 0 || Find(packet) >= 0)
        {
            // Without its beginning it is nothing; and one that comes late does not stop what has begun since.
            _counters.Broken.Add();
            return;
        }

        if (_begun.Count == _most)
        {
            Break(OldestOfWhoHasMost());
        }

        JoinedFrame frame = _free.Count > 0 ? _free.Pop() : new JoinedFrame();
        frame.Begin(packet, _server.NowNanos);
        _begun.Add(frame);
        if (!_timer.IsArmed)
        {
            _timer.ArmAt(frame.SinceNanos + _pieceWait);
        }
    }

    private void GiveUpOld()
    {
        long now = _server.NowNanos,
            due = long.MaxValue;
        for (int i = _begun.Count - 1; i >= 0; i--)
        {
            long own = _begun[i].SinceNanos + _pieceWait;
            if (own <= now)
            {
                Break(i);
            }
            else
            {
                due = Math.Min(due, own);
            }
        }

        if (due != long.MaxValue)
        {
            _timer.ArmAt(due);
        }
    }

    // Whoever begins frames and does not end them loses his own.
    private int OldestOfWhoHasMost()
    {
        int found = 0,
            most = 0;
        for (int i = 0; i < _begun.Count; i++)
        {
            int count = 0;
            foreach (JoinedFrame other in _begun)
            {
                count += other.Source == _begun[i].Source ? 1 : 0;
            }

            (found, most) = count > most ? (i, count) : (found, most);
        }

        return found;
    }

    private int Find(Packet packet)
    {
        for (int i = 0; i < _begun.Count; i++)
        {
            if (_begun[i].IsOnLaneOf(packet))
            {
                return i;
            }
        }

        return -1;
    }

    private void Break(int at)
    {
        _counters.Broken.Add(_begun[at].Pieces);
        Free(at);
    }

    private void Free(int at)
    {
        _free.Push(_begun[at]);
        _begun.RemoveAt(at);
    }
}
