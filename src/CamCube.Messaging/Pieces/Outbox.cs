namespace CamCube.Messaging.Pieces;

/// <summary>
/// The messages of a channel that wait to be sent, as cursors: a packet is made when a link asks for one, so a megabyte
/// waits as one object and not as a queue of packets. A link takes turns between the first few messages that go its
/// way.
/// </summary>
internal sealed class Outbox<THeader>(
    IServer server,
    MessageOptions options,
    ulong run,
    Action<Outgoing<THeader>> toSelf
) : IPacketSource
    where THeader : unmanaged, IMessageHeader<THeader>
{
    // Messages between which a link takes turns. More: all end late together; 1: a short one waits for all before it.
    private const int Window = 4;
    private const int MostPooled = 64;
    private readonly Dictionary<uint, Outgoing<THeader>> _bySequence = [];
    private readonly List<Outgoing<THeader>> _active = [];
    private readonly List<Outgoing<THeader>> _stalled = [];
    private readonly List<Outgoing<THeader>> _kept = [];
    private readonly Stack<Outgoing<THeader>> _free = new();
    private readonly long _keepNanos = (long)options.KeepTime.TotalNanoseconds;
    private IOutboundTurn? _turn;
    private long _keptBytes;
    private long _viewVersion = -1;
    private uint _rotation;

    /// <summary>Messages that wait or are being sent.</summary>
    public int Active => _active.Count + _stalled.Count;

    /// <summary>Messages that are only kept for repair.</summary>
    public int Kept => _kept.Count;

    public long Resent { get; private set; }

    public void Start() => _turn = server.AddSource(this);

    /// <summary>False: too many wait already.</summary>
    public bool TryAdd(
        in THeader header,
        uint sequence,
        ReadOnlySpan<byte> head,
        ReadOnlyMemory<byte> tail,
        int pieceLength,
        Destination to
    )
    {
        if (Active >= options.Waiting)
        {
            return false;
        }

        Outgoing<THeader> message = _free.TryPop(out Outgoing<THeader>? pooled) ? pooled : new();
        message.Open(header, sequence, head, tail, pieceLength, options.PushedPieces, to);
        _bySequence.Add(sequence, message);
        Activate(message);
        return true;
    }

    public Packet? OnPoll(Link link)
    {
        if (_viewVersion != server.Topology.Version)
        {
            Refresh();
        }

        if (Choose(link) is not { } message || !server.Packets.TryRent(message.Shape.LengthOf(0), out Packet? packet))
        {
            return null;
        }

        Destination to = packet.Destination = message.To;
        int piece = message.TakePiece();
        Fill(packet, message, piece);
        message.LastUsedNanos = server.NowNanos;
        if (!message.HasPieces)
        {
            Deactivate(message);
        }
        else if (message.To != to)
        {
            // Repairs went to who asked for them; the rest goes on to the message's own destination.
            Refresh();
        }

        return packet;
    }

    /// <summary>Looks at all ways anew: the view or a link changed.</summary>
    public void Refresh()
    {
        _viewVersion = server.Topology.Version;
        LinkSet ready = default;
        for (int i = 0; i < _active.Count; i++)
        {
            Outgoing<THeader> message = _active[i];
            message.Hops = server.Topology.NextHops(message.To);
            if (message.Hops.Contains(Link.Local))
            {
                // The key's root is here now, so no link would ever ask for it.
                toSelf(message);
                Forget(message);
                i--;
                continue;
            }

            ready |= message.Hops;
        }

        for (int i = _stalled.Count - 1; i >= 0; i--)
        {
            Outgoing<THeader> message = _stalled[i];
            if (server.Topology.NextHops(message.To).Contains(Link.Local))
            {
                toSelf(message);
                Forget(message);
            }
        }

        if (_turn is not null)
        {
            _turn.Ready = ready;
        }
    }

    /// <summary>Notes what a receiver misses. False: the bytes are gone.</summary>
    public bool Ask(uint sequence, Coordinate asker, int first, ReadOnlySpan<byte> bitmap)
    {
        if (!_bySequence.TryGetValue(sequence, out Outgoing<THeader>? message))
        {
            return false;
        }

        message.LastUsedNanos = server.NowNanos;
        message.Ask(asker, first, bitmap);
        if (message.HasPieces && !message.IsActive)
        {
            Resent++;
            Leave(message);
            Activate(message);
        }

        return true;
    }

    /// <summary>A receiver lets more pieces come. False: the bytes are gone.</summary>
    public bool Grant(uint sequence, int last)
    {
        if (!_bySequence.TryGetValue(sequence, out Outgoing<THeader>? message))
        {
            return false;
        }

        message.LastUsedNanos = server.NowNanos;
        message.Grant(last);
        if (message.HasPieces && !message.IsActive)
        {
            Leave(message);
            Activate(message);
        }

        return true;
    }

    /// <summary>Whether pieces of it wait to be sent.</summary>
    public bool IsSending(uint sequence) =>
        _bySequence.TryGetValue(sequence, out Outgoing<THeader>? message) && (message.IsActive || message.IsStalled);

    public void Forget(uint sequence)
    {
        if (_bySequence.TryGetValue(sequence, out Outgoing<THeader>? message))
        {
            Forget(message);
        }
    }

    /// <summary>Forgets what nobody asked for in a long time. Returns when to look again.</summary>
    public long Expire(long nowNanos)
    {
        long next = long.MaxValue;
        for (int i = _active.Count - 1; i >= 0; i--)
        {
            next = Math.Min(next, ExpireOne(_active[i], nowNanos));
        }

        for (int i = _stalled.Count - 1; i >= 0; i--)
        {
            next = Math.Min(next, ExpireOne(_stalled[i], nowNanos));
        }

        for (int i = _kept.Count - 1; i >= 0; i--)
        {
            next = Math.Min(next, ExpireOne(_kept[i], nowNanos));
        }

        return next;
    }

    public void Clear()
    {
        while (_active.Count > 0)
        {
            Forget(_active[^1]);
        }

        while (_stalled.Count > 0)
        {
            Forget(_stalled[^1]);
        }

        while (_kept.Count > 0)
        {
            Forget(_kept[^1]);
        }
    }

    private long ExpireOne(Outgoing<THeader> message, long nowNanos)
    {
        long due = message.LastUsedNanos + _keepNanos;
        if (due > nowNanos)
        {
            return due;
        }

        Forget(message);
        return long.MaxValue;
    }

    private Outgoing<THeader>? Choose(Link link)
    {
        Span<int> fit = stackalloc int[Window];
        int n = 0;
        for (int i = 0; i < _active.Count && n < Window; i++)
        {
            if (_active[i].Hops.Contains(link))
            {
                fit[n++] = i;
            }
        }

        return n == 0 ? null : _active[fit[(int)(_rotation++ % (uint)n)]];
    }

    private void Fill(Packet packet, Outgoing<THeader> message, int piece)
    {
        ref THeader header = ref packet.Header<THeader>();
        header = message.Header;
        THeader.MessageOf(ref header) = new MessageHeader
        {
            Run = run,
            Sequence = message.Sequence,
            Length = (uint)message.Shape.Length,
            PieceLength = (ushort)message.Shape.PieceLength,
            Piece = (ushort)piece,
            Kind = MessageKind.Piece,
        };
        packet.SetBodyLength(message.Shape.LengthOf(piece));
        message.CopyTo(piece, packet.WritableBody());
    }

    private void Activate(Outgoing<THeader> message)
    {
        (message.IsActive, message.LastUsedNanos) = (true, server.NowNanos);
        message.Hops = server.Topology.NextHops(message.To);
        _active.Add(message);
        if (_turn is not null)
        {
            _turn.Ready |= message.Hops;
        }
    }

    private void Deactivate(Outgoing<THeader> message)
    {
        if (message.Shape.Count == 1)
        {
            Forget(message);
            return;
        }

        _active.Remove(message);
        message.IsActive = false;
        if (!message.IsSent)
        {
            message.IsStalled = true;
            _stalled.Add(message);
            return;
        }

        _kept.Add(message);
        _keptBytes += message.Shape.Length;
        while (_keptBytes > options.KeptBytes && _kept.Count > 1)
        {
            Forget(_kept[0]);
        }
    }

    private void Forget(Outgoing<THeader> message)
    {
        _bySequence.Remove(message.Sequence);
        Leave(message);
        message.Close();
        if (_free.Count < MostPooled)
        {
            _free.Push(message);
        }
    }

    // Takes it out of the list in which it is.
    private void Leave(Outgoing<THeader> message)
    {
        if (message.IsActive)
        {
            _active.Remove(message);
        }
        else if (message.IsStalled)
        {
            message.IsStalled = false;
            _stalled.Remove(message);
        }
        else
        {
            _kept.Remove(message);
            _keptBytes -= message.Shape.Length;
        }
    }
}
