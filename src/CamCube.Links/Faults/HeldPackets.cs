namespace CamCube.Faults;

/// <summary>
/// Packets that a fault rule keeps from real links for a while, per link, in the order in which they are due; and when
/// links have room. Loop only; the counter is read from anywhere.
/// </summary>
internal sealed class HeldPackets(LinkDriver inner)
{
    private const int MostPerLink = 4_096;
    private readonly PriorityQueue<Packet, (long Due, long Order)>[] _waiting =
    [
        .. Enumerable.Range(0, Links.Cables).Select(static _ => new PriorityQueue<Packet, (long Due, long Order)>()),
    ];

    // When the links below take a packet again, and when rate limits let them.
    private readonly long[] _room = new long[Links.Cables];
    private readonly long[] _paced = new long[Links.Cables];
    private ILinkEvents _server = null!;
    private long _order;

    /// <summary>Packets lost because too many waited, or at the end.</summary>
    public long Overflowed { get; private set; }

    /// <summary>When the next packet can go, as far as is known; long.MaxValue = none waits, or only for the link to
    /// say that it is free.</summary>
    public long NextNanos
    {
        get
        {
            long next = long.MaxValue;
            for (int link = 0; link < Links.Cables; link++)
            {
                if (_waiting[link].TryPeek(out _, out (long Due, long Order) first))
                {
                    next = Math.Min(next, Math.Max(first.Due, _room[link]));
                }
            }

            return next;
        }
    }

    public void Attach(ILinkEvents server) => _server = server;

    /// <summary>Takes a packet and sends it at once if it is due. Answers when the link takes another, as
    /// LinkDriver.Transmit.</summary>
    public long Add(Link link, Packet packet, long now, long busy, long later)
    {
        if (_waiting[(int)link].Count == MostPerLink)
        {
            Overflowed++;
            _server.Lose(packet);
        }
        else
        {
            _waiting[(int)link].Enqueue(packet, (now + later, _order++));
            Release((int)link, now);
        }

        return Occupy(link, now, busy);
    }

    /// <summary>Takes a packet that no rule concerns: at once, unless others wait before it. Answers as
    /// <see cref="Add"/>.</summary>
    public long Pass(Link link, Packet packet, long now)
    {
        if (_waiting[(int)link].Count > 0 || _room[(int)link] > now)
        {
            return Add(link, packet, now, 0, 0);
        }

        _room[(int)link] = inner.Transmit(link, packet, now);
        return Math.Max(_paced[(int)link], _room[(int)link]);
    }

    /// <summary>The link is taken for a while without a packet.</summary>
    public long Occupy(Link link, long now, long busy)
    {
        _paced[(int)link] = now + busy;
        return Math.Max(_paced[(int)link], _room[(int)link]);
    }

    /// <summary>Sends what is due on links with room.</summary>
    public void Release(long now)
    {
        for (int link = 0; link < Links.Cables; link++)
        {
            Release(link, now);
        }
    }

    /// <summary>The link below has room again. Answers when the server may use it.</summary>
    public long LinkFree(Link link, long now)
    {
        _room[(int)link] = now;
        return Math.Max(now, _paced[(int)link]);
    }

    /// <summary>Loses all.</summary>
    public void Close()
    {
        foreach (PriorityQueue<Packet, (long Due, long Order)> waiting in _waiting)
        {
            while (waiting.TryDequeue(out Packet? packet, out _))
            {
                Overflowed++;
                _server.Lose(packet);
            }
        }
    }

    private void Release(int link, long now)
    {
        PriorityQueue<Packet, (long Due, long Order)> waiting = _waiting[link];
        while (
            waiting.TryPeek(out Packet? packet, out (long Due, long Order) first)
            && first.Due <= now
            && _room[link] <= now
        )
        {
            waiting.Dequeue();
            _room[link] = inner.Transmit((Link)link, packet, now);
        }
    }
}
