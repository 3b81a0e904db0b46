using CamCube.Messaging.Streams.Flow;
using CamCube.Messaging.Streams.Paths;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>
/// Two runs of an endpoint on two servers, bound to each other by a greeting: streams that share packets, paths and
/// acknowledgements. Loop only.
/// </summary>
internal sealed class StreamConnection
{
    // The hello is repeated after so long per hop, doubled up to so many times.
    private const long HelloNanosPerHop = 1_000_000;
    private const int MostHelloDoublings = 4;

    private readonly StreamHost _host;
    private readonly Dictionary<uint, StreamBody> _streams = [];
    private readonly RangeSet _peersStreams = new();
    private readonly List<StreamBody> _sending = [];
    private readonly Queue<StreamBody> _control = new();
    private readonly ConnectionPath?[] _paths = new ConnectionPath?[PathWord.Routed + 1];
    private readonly List<ConnectionPath> _known = [];
    private long _nextStream;
    private int _turn;
    private long _beganNanos;
    private long _heardNanos;
    private long _helloNanos = long.MaxValue;
    private int _hellos;

    public StreamConnection(StreamHost host, in ConnectionKey key, ulong peerRun, StreamPaths paths)
    {
        (_host, Key, PeerRun, Paths) = (host, key, peerRun, paths);
        State = key.IsOpener ? ConnectionState.Greeting : ConnectionState.Open;
        _nextStream = key.IsOpener ? 0 : 1;
        _beganNanos = _heardNanos = host.NowNanos;
        Refresh();
        if (State == ConnectionState.Greeting)
        {
            SayHello();
        }
    }

    public ConnectionKey Key { get; }

    public StreamPaths Paths { get; }

    public ConnectionState State { get; private set; }

    /// <summary>Run of the peer's endpoint; 0: not known yet.</summary>
    public ulong PeerRun { get; private set; }

    /// <summary>Streams that are open or linger.</summary>
    public int Streams => _streams.Count;

    /// <summary>Paths that were ever used.</summary>
    public IReadOnlyList<ConnectionPath> KnownPaths => _known;

    public long AckDelayNanos => _host.AckDelayNanos;

    public long ProbeFloorNanos => _host.ProbeFloorNanos;

    /// <summary>When something is due next.</summary>
    public long DueNanos
    {
        get
        {
            long due = _helloNanos;
            bool waits = false;
            foreach (ConnectionPath path in _known)
            {
                due = Math.Min(due, path.DueNanos);
                waits |= path.InFlight > 0;
            }

            return waits ? Math.Min(due, _heardNanos + _host.SilenceNanos) : due;
        }
    }

    private bool HasWork => State == ConnectionState.Open && (_control.Count > 0 || _sending.Count > 0);

    /// <summary>Opens a stream.</summary>
    public StreamBody Open(ulong label)
    {
        uint id = (uint)_nextStream;
        _nextStream += 2;
        StreamBody stream = _host.CreateStream(this, id, label, isIncoming: false);
        _streams.Add(id, stream);
        Wants(stream);
        return stream;
    }

    /// <summary>A stream may have bytes to send.</summary>
    public void Wants(StreamBody stream)
    {
        if (!stream.IsSending && stream.HasData)
        {
            stream.IsSending = true;
            _sending.Add(stream);
        }

        Wake();
    }

    /// <summary>A stream has something to say beside its bytes.</summary>
    public void WantsControl(StreamBody stream)
    {
        if (!stream.IsInControl)
        {
            stream.IsInControl = true;
            _control.Enqueue(stream);
        }

        Wake();
    }

    public void NoteHeard(long nowNanos) => _heardNanos = nowNanos;

    /// <summary>A stream is over, read and disposed of, and nothing of it is under way.</summary>
    public void Forget(StreamBody stream)
    {
        if (_streams.Remove(stream.Id))
        {
            _sending.Remove(stream);
            _host.Free(stream);
        }
    }

    /// <summary>The peer has answered the greeting.</summary>
    public void Welcome(ulong run)
    {
        if (State == ConnectionState.Greeting)
        {
            (PeerRun, State, _helloNanos) = (run, ConnectionState.Open, long.MaxValue);
            NoteHeard(_host.NowNanos);
            Wake();
        }
    }

    /// <summary>Looks at its ways anew: the view or a link changed.</summary>
    public void Refresh()
    {
        bool isUp = false;
        LinkSet up = _host.Server.Topology.LinksUp;
        LinkSet wanted = _host.SourceLinks(Key.Peer, Paths);
        for (int i = 0; i < PathWord.Routed; i++)
        {
            var link = (Link)i;
            bool isUsable = wanted.Contains(link) && up.Contains(link);
            isUp |= isUsable;
            if (isUsable || _paths[i] is not null)
            {
                SetLinks(PathAt(i), isUsable ? link : LinkSet.None);
            }
        }

        // Only where no path is left whole at its beginning.
        if (!isUp || _paths[PathWord.Routed] is not null)
        {
            SetLinks(PathAt(PathWord.Routed), isUp ? LinkSet.None : _host.Server.Topology.NextHops(Key.Peer));
        }

        Wake();
    }

    /// <summary>A path that a packet came on, or is to leave on.</summary>
    public ConnectionPath PathAt(int index)
    {
        if (_paths[index] is { } known)
        {
            return known;
        }

        var path = new ConnectionPath(this, index);
        _paths[index] = path;
        _known.Add(path);
        return path;
    }

    /// <summary>Whether a path has something to send now.</summary>
    public bool CanSend(ConnectionPath path)
    {
        if (State != ConnectionState.Open || path.Links.IsEmpty)
        {
            return false;
        }

        if (path.MustProbe)
        {
            return true;
        }

        if (!HasWork)
        {
            return false;
        }

        if (!path.HasWindow)
        {
            path.NoteUsedUp();
            return false;
        }

        return true;
    }

    /// <summary>Makes the next packet of a path: what streams have to say, then bytes of one after the other. Null:
    /// there is nothing, or no packet.</summary>
    public Packet? Make(ConnectionPath path)
    {
        if (_host.Rent(_host.MostBody) is not { } packet)
        {
            return null;
        }

        int frames = 0;
        FrameWriter writer = new(packet.WritableBody());
        if (path.MustProbe)
        {
            frames = WriteOldest(path, ref writer);
        }

        frames += WriteControl(path, ref writer);
        frames += WriteData(path, ref writer);
        if (frames == 0)
        {
            if (!path.MustProbe)
            {
                _host.Server.Packets.Release(packet);
                return null;
            }

            writer.Ping();
            path.Add(new SentFrame(FrameType.Ping, 0));
            frames = 1;
        }

        packet.SetBodyLength(writer.Length);
        packet.Destination = Key.Peer;
        Head(packet, StreamPacketKind.Frames, path.Index).Packet = path.NextNumber;
        path.Close(frames, _host.NowNanos);
        if (!path.HasWindow && HasWork)
        {
            path.NoteUsedUp();
        }

        return packet;
    }

    /// <summary>Fills the library's part of a packet of this connection.</summary>
    public ref StreamHeader Head(Packet packet, StreamPacketKind kind, int path)
    {
        ref StreamHeader header = ref _host.Form.Of(packet);
        header = new StreamHeader
        {
            Run = _host.Run,
            PeerRun = (uint)PeerRun,
            Connection = Key.Number,
            Kind = kind,
            Path = new PathWord(path, Key.IsOpener),
        };
        return ref header;
    }

    /// <summary>A numbered packet has come. False: it cannot be, and the connection is over.</summary>
    public bool TryTake(Packet packet, in StreamHeader header)
    {
        long now = _host.NowNanos;
        NoteHeard(now);
        ConnectionPath path = PathAt(header.Path.Path);
        if (header.Kind == StreamPacketKind.Frames)
        {
            bool isNew = path.Received.TryAdd(header.Packet, header.Marked != 0, now, AckDelayNanos);
            if (!isNew)
            {
                return true;
            }
        }

        FrameReader reader = new(packet.Body);
        while (State == ConnectionState.Open && reader.TryNext())
        {
            if (!TryTake(reader, now))
            {
                return false;
            }
        }

        return !reader.IsMalformed;
    }

    /// <summary>What a packet carried has arrived.</summary>
    public void Arrived(in SentFrame frame)
    {
        if (_streams.TryGetValue(frame.Stream, out StreamBody? stream) && frame.Type != FrameType.Ping)
        {
            stream.Arrived(frame);
        }
    }

    /// <summary>What a packet carried is lost: it is said again.</summary>
    public void Lose(in SentFrame frame)
    {
        if (_streams.TryGetValue(frame.Stream, out StreamBody? stream) && frame.Type != FrameType.Ping)
        {
            stream.Lose(frame);
        }
    }

    /// <summary>Does what is due.</summary>
    public void OnTimer(long nowNanos)
    {
        if (_helloNanos <= nowNanos)
        {
            if (nowNanos - _beganNanos >= _host.OpenNanos)
            {
                End(new StreamEnd(StreamEndReason.PeerSilent));
                return;
            }

            SayHello();
        }

        bool waits = false;
        foreach (ConnectionPath path in _known)
        {
            path.OnTimer(nowNanos);
            waits |= path.InFlight > 0;
            if (path.Received.AckNanos <= nowNanos)
            {
                _host.SendAck(this, path, turned: null);
            }
        }

        if (waits && nowNanos - _heardNanos >= _host.SilenceNanos)
        {
            End(new StreamEnd(StreamEndReason.PeerSilent));
            return;
        }

        Wake();
    }

    /// <summary>It is over, with all its streams.</summary>
    public void End(StreamEnd end)
    {
        if (State == ConnectionState.Over)
        {
            return;
        }

        State = ConnectionState.Over;
        _host.Remove(this);
        foreach (ConnectionPath path in _known)
        {
            path.Links = LinkSet.None;
        }

        _control.Clear();
        _sending.Clear();
        foreach (StreamBody stream in _streams.Values.OrderBy(s => s.Id).ToArray())
        {
            stream.EndBy(end);
        }
    }

    /// <summary>Whose turn it may be now, on every path.</summary>
    public void Wake()
    {
        foreach (ConnectionPath path in _known)
        {
            if (CanSend(path))
            {
                _host.Ready(path);
            }
        }

        _host.Schedule(DueNanos);
    }

    private void SetLinks(ConnectionPath path, LinkSet links)
    {
        if (path.Links != links)
        {
            bool hadLinks = !path.Links.IsEmpty;
            path.Links = links;
            if (links.IsEmpty && hadLinks)
            {
                path.LoseAll();
            }
        }
    }

    private void SayHello()
    {
        int hops = Math.Max(1, _host.Server.Topology.HopsTo(Key.Peer));
        _helloNanos = _host.NowNanos + ((hops * HelloNanosPerHop) << Math.Min(_hellos++, MostHelloDoublings));
        if (_host.Rent(0) is { } packet)
        {
            Head(packet, StreamPacketKind.Hello, PathWord.Routed);
            _host.Server.Send(packet, Key.Peer);
        }

        _host.Schedule(_helloNanos);
    }

    private int WriteControl(ConnectionPath path, ref FrameWriter writer)
    {
        int frames = 0;
        while (writer.Room >= StreamBody.MostControl && _control.TryDequeue(out StreamBody? stream))
        {
            stream.IsInControl = false;
            frames += stream.WriteControl(path, ref writer);
        }

        return frames;
    }

    private int WriteData(ConnectionPath path, ref FrameWriter writer)
    {
        int frames = 0;
        while (_sending.Count > 0 && writer.Room > FrameWriter.FirstLength)
        {
            _turn = _turn >= _sending.Count ? 0 : _turn;
            StreamBody stream = _sending[_turn];
            frames += stream.WriteData(path, ref writer) ? 1 : 0;
            if (stream.HasData)
            {
                _turn++;
            }
            else
            {
                stream.IsSending = false;
                _sending.RemoveAt(_turn);
            }
        }

        return frames;
    }

    // The frames of the oldest packet under way once more, as far as they still mean something.
    private int WriteOldest(ConnectionPath path, ref FrameWriter writer)
    {
        long oldest = path.OldestInFlight();
        int frames = 0;
        for (int i = 0; oldest >= 0 && i < path.FramesOf(oldest); i++)
        {
            SentFrame frame = path.FrameOf(oldest, i);
            if (frame.Type != FrameType.Ping && _streams.TryGetValue(frame.Stream, out StreamBody? stream))
            {
                frames += stream.WriteAgain(frame, path, ref writer) ? 1 : 0;
            }
        }

        return frames;
    }

    private bool TryTake(in FrameReader frame, long nowNanos)
    {
        switch (frame.Type)
        {
            case FrameType.Ping:
                return true;
            case FrameType.Ack:
                bool canBe = _paths[frame.Path] is { } path && path.TryTakeAck(frame, nowNanos);
                Wake();
                return canBe;
            default:
                break;
        }

        if (!_streams.TryGetValue(frame.Stream, out StreamBody? stream))
        {
            bool isOwn = (frame.Stream & 1) == (Key.IsOpener ? 0 : 1);
            if (isOwn)
            {
                // One of ours that is over; never one that was not opened.
                return frame.Stream < _nextStream;
            }

            if (frame.Type == FrameType.Reset)
            {
                // Aborted before it was heard of: what of it is still under way begins nothing.
                IsNew(frame.Stream);
            }

            if (frame.Type != FrameType.Data || !frame.IsFirst || !IsNew(frame.Stream))
            {
                return true;
            }

            stream = _host.CreateStream(this, frame.Stream, frame.Label, isIncoming: true);
            _streams.Add(frame.Stream, stream);
        }

        return stream.TryTake(frame);
    }

    private bool IsNew(uint id) => _peersStreams.Add(id / 2, (id / 2) + 1) > 0;
}
