using CamCube.Messaging.Streams.Flow;
using CamCube.Messaging.Streams.Wire;
using CamCube.Topology;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>What the connections of one endpoint share: the server, memory, the turns of the links, a timer, and what
/// the handler is still to be told. Loop only.</summary>
internal sealed class StreamHost : IPacketSource
{
    // How often memory is looked for that others of the server have.
    private const long MemoryNanos = 20_000_000;
    private readonly Dictionary<ConnectionKey, StreamConnection> _connections = [];
    private readonly List<StreamConnection> _inOrder = [];
    private readonly LinkTurns _turns = new();
    private readonly Queue<StreamNotice> _notices = new();
    private readonly Queue<StreamBody> _waitToAllow = new(),
        _waitToWrite = new();
    private readonly DisjointPaths _disjoint;
    private readonly ServerTimer _timer;
    private readonly IStreamNews _news;
    private IOutboundTurn? _turn;
    private long _timerDue = long.MaxValue;
    private long _memoryNanos = long.MaxValue;
    private bool _isTelling;
    private uint _number;

    public StreamHost(IServer server, StreamOptions options, IStreamNews news, PacketForm form, ulong run)
    {
        (Server, Options, _news, Form, Run) = (server, options, news, form, run);
        _disjoint = DisjointPaths.For(server.Shape);
        _timer = server.CreateTimer(OnTimer);
        SendMemory = new StreamMemory(server, "streams to send", options.SendMemory);
        ReceiveMemory = new StreamMemory(server, "streams received", options.ReceiveMemory);
        MostBody = server.Packets.MaxPayload - form.HeaderLength;
        (AckDelayNanos, OpenNanos, SilenceNanos) = (
            (long)options.AckDelay.TotalNanoseconds,
            (long)options.OpenTime.TotalNanoseconds,
            (long)options.SilenceTime.TotalNanoseconds
        );
        long grain = (long)server.Loop.TimerGrain.TotalNanoseconds;
        ProbeFloorNanos = grain == 0 ? 0 : grain + AckDelayNanos;
        Counters = new StreamCounters(server);
    }

    public IServer Server { get; }

    public StreamOptions Options { get; }

    public PacketForm Form { get; }

    public ulong Run { get; }

    public StreamMemory SendMemory { get; }

    public StreamMemory ReceiveMemory { get; }

    public StreamCounters Counters { get; }

    /// <summary>Longest body of a packet.</summary>
    public int MostBody { get; }

    public long AckDelayNanos { get; }

    public long OpenNanos { get; }

    public long SilenceNanos { get; }

    /// <summary>A probe's time is at least this: timers of a real server are late.</summary>
    public long ProbeFloorNanos { get; }

    public long NowNanos => Server.NowNanos;

    /// <summary>Connections, opened and accepted.</summary>
    public IReadOnlyList<StreamConnection> Connections => _inOrder;

    /// <summary>Streams that were made and not given back.</summary>
    public int Streams { get; private set; }

    public bool IsRunning => _turn is not null;

    public void Start() => _turn = Server.AddSource(this);

    public void Stop()
    {
        _timer.Cancel();
        while (_inOrder.Count > 0)
        {
            SayClose(_inOrder[^1], CloseReason.Stopping);
            _inOrder[^1].End(new StreamEnd(StreamEndReason.Closed));
        }

        _turn = null;
        _notices.Clear();
    }

    /// <inheritdoc/>
    public Packet? OnPoll(Link link)
    {
        while (_turns.Take(link) is { } path)
        {
            if (!path.Connection.CanSend(path) || !path.Links.Contains(link))
            {
                continue;
            }

            Packet? packet = path.Connection.Make(path);
            if (path.Connection.CanSend(path))
            {
                Ready(path);
            }

            if (packet is not null)
            {
                Schedule(path.Connection.DueNanos);
                return packet;
            }

            if (!path.Connection.CanSend(path))
            {
                continue;
            }

            // No packet is left: others give theirs back, and the timer asks again.
            Schedule(NowNanos + AckDelayNanos);
            return null;
        }

        return null;
    }

    /// <summary>A path may have something to send.</summary>
    public void Ready(ConnectionPath path)
    {
        _turns.Add(path);
        if (_turn is not null)
        {
            _turn.Ready = _turns.Ready;
        }
    }

    /// <summary>The links with which paths to a server begin.</summary>
    public LinkSet SourceLinks(Coordinate peer, StreamPaths paths)
    {
        LinkSet all = _disjoint.SourceLinks(Server.Coordinate, peer);
        if (paths == StreamPaths.All)
        {
            return all;
        }

        LinkSet shortest = all & Server.Topology.NextHops(peer);
        return shortest.IsEmpty ? shortest : shortest.First;
    }

    /// <summary>At a hop: the next link of a packet that keeps to its path.</summary>
    public LinkSet NextHop(Packet packet, Link arrivedOn) =>
        _disjoint.NextHop(Server.Coordinate, packet.Destination.Server, arrivedOn, Server.Topology.LinksUp);

    public StreamConnection? Find(in ConnectionKey key) => _connections.GetValueOrDefault(key);

    /// <summary>Finds or begins a connection to a server. Null: there is no room for another.</summary>
    public StreamConnection? Reach(Coordinate peer, StreamPaths paths)
    {
        foreach (StreamConnection known in _inOrder)
        {
            if (known.Key.Peer == peer && known.Key.IsOpener && known.Paths == paths)
            {
                return known;
            }
        }

        _number = _number == uint.MaxValue ? 1 : _number + 1;
        return Add(new ConnectionKey(peer, _number, IsOpener: true), 0, paths);
    }

    /// <summary>A peer wants a connection. Null: there is no room for another.</summary>
    public StreamConnection? Accept(in ConnectionKey key, ulong run) => Add(key, run, StreamPaths.All);

    public void Remove(StreamConnection connection)
    {
        _connections.Remove(connection.Key);
        _inOrder.Remove(connection);
    }

    public StreamBody CreateStream(StreamConnection connection, uint id, ulong label, bool isIncoming)
    {
        Streams++;
        var stream = new StreamBody(this, connection, id, label);
        if (isIncoming)
        {
            Counters.Accepted.Add();
            Tell(stream, StreamNews.Incoming);
        }
        else
        {
            Counters.Opened.Add();
        }

        return stream;
    }

    public void Free(StreamBody stream)
    {
        Streams--;
        stream.Release();
        OfferToReaders();
        OfferToWriters();
    }

    /// <summary>A stream would like to allow its peer more, and there is no memory.</summary>
    public void WaitToAllow(StreamBody stream)
    {
        _waitToAllow.Enqueue(stream);
        LookForMemory();
    }

    /// <summary>Memory has come back.</summary>
    public void OfferToReaders()
    {
        for (int n = _waitToAllow.Count; n > 0 && _waitToAllow.TryDequeue(out StreamBody? stream); n--)
        {
            if (!stream.TryAllowAgain())
            {
                return;
            }
        }
    }

    /// <summary>A stream would like to take more bytes of its writer, and there is no memory.</summary>
    public void WaitToWrite(StreamBody stream)
    {
        _waitToWrite.Enqueue(stream);
        LookForMemory();
    }

    /// <summary>Memory for what is written may be there: one of those that wait tries it, and then the next.</summary>
    public void OfferToWriters()
    {
        if (SendMemory.HasRoom(Chunk.Size) && _waitToWrite.TryDequeue(out StreamBody? stream))
        {
            stream.OnWriteMemory();
        }
    }

    /// <summary>The handler, and who waits, is told after this callback.</summary>
    public void Tell(StreamBody stream, StreamNews news)
    {
        _notices.Enqueue(new StreamNotice(stream, news));
        if (!_isTelling)
        {
            _isTelling = true;
            Server.Loop.Post(static host => ((StreamHost)host!).TellAll(), this);
        }
    }

    /// <summary>Something is due at this time, at the latest.</summary>
    public void Schedule(long dueNanos)
    {
        if (dueNanos < _timerDue && IsRunning)
        {
            _timerDue = dueNanos;
            _timer.ArmAt(dueNanos);
        }
    }

    /// <summary>A packet of the service; null: the budget is used up.</summary>
    public Packet? Rent(int length) => Server.Packets.TryRent(length, out Packet? packet) ? packet : null;

    /// <summary>Acknowledges what came on a path: by the packet that has just come turned round, which cannot fail, or
    /// by
    /// another. True: it was that packet, and it is gone.</summary>
    public bool SendAck(StreamConnection connection, ConnectionPath path, Packet? turned)
    {
        int length = path.Received.Length;
        bool isTurned = turned is not null && turned.BodyCapacity >= length && !turned.IsBodyShared;
        Packet? packet = isTurned ? turned : Rent(length);
        if (packet is null)
        {
            path.Received.Postpone(NowNanos + AckDelayNanos);
            Schedule(path.Received.AckNanos);
            return false;
        }

        if (isTurned)
        {
            Server.Packets.Take(packet);
            packet.SetBodyLength(length);
            packet.TurnRound(Server.Coordinate, Server.Packets.DefaultHopLimit);
        }

        FrameWriter writer = new(packet.WritableBody());
        path.Received.Write(ref writer, path.Index, NowNanos);
        packet.SetBodyLength(writer.Length);
        connection.Head(packet, StreamPacketKind.Acks, PathWord.Routed);
        Server.Send(packet, connection.Key.Peer);
        return isTurned;
    }

    public void OnTopologyChanged(in TopologyChange change)
    {
        for (int i = _inOrder.Count - 1; i >= 0; i--)
        {
            StreamConnection connection = _inOrder[i];
            if (change.Event == TopologyEvent.ServerLost && change.Server == connection.Key.Peer)
            {
                connection.End(new StreamEnd(StreamEndReason.PeerLost));
            }
            else
            {
                connection.Refresh();
            }
        }
    }

    /// <summary>Tells the other end that the connection is over.</summary>
    public void SayClose(StreamConnection connection, CloseReason reason)
    {
        if (Rent(1) is { } packet)
        {
            packet.WritableBody()[0] = (byte)reason;
            connection.Head(packet, StreamPacketKind.Close, PathWord.Routed);
            Server.Send(packet, connection.Key.Peer);
        }
    }

    // Others of the server may give memory back, and nobody tells.
    private void LookForMemory()
    {
        _memoryNanos = Math.Min(_memoryNanos, NowNanos + MemoryNanos);
        Schedule(_memoryNanos);
    }

    private StreamConnection? Add(in ConnectionKey key, ulong run, StreamPaths paths)
    {
        if (_inOrder.Count >= Options.Connections)
        {
            return null;
        }

        var connection = new StreamConnection(this, key, run, paths);
        _connections.Add(key, connection);
        _inOrder.Add(connection);
        return connection;
    }

    private void OnTimer()
    {
        long now = NowNanos,
            next = long.MaxValue;
        _timerDue = long.MaxValue;
        for (int i = _inOrder.Count - 1; i >= 0; i--)
        {
            StreamConnection connection = _inOrder[i];
            if (connection.DueNanos <= now)
            {
                connection.OnTimer(now);
            }

            next = Math.Min(next, connection.DueNanos);
        }

        if (_memoryNanos <= now)
        {
            _memoryNanos = long.MaxValue;
            OfferToReaders();
            OfferToWriters();
            if (_waitToAllow.Count + _waitToWrite.Count > 0)
            {
                LookForMemory();
            }
        }

        Schedule(Math.Min(next, _memoryNanos));
    }

    private void TellAll()
    {
        _isTelling = false;
        for (int n = _notices.Count; n > 0 && _notices.TryDequeue(out StreamNotice notice); n--)
        {
            _news.Tell(notice.Stream, notice.News);
            OfferToWriters();
        }

        if (_notices.Count > 0 && !_isTelling)
        {
            _isTelling = true;
            Server.Loop.Post(static host => ((StreamHost)host!).TellAll(), this);
        }
    }
}
