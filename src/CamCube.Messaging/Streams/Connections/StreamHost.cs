using CamCube.Messaging.Streams.Flow;
using CamCube.Messaging.Streams.Wire;
using CamCube.Topology;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>What the connections of an endpoint share: server, memory, links, time, and what is to be told. Loop
/// only.</summary>
internal sealed class StreamHost
{
    // How often memory is looked for that others of the server have.
    private const long MemoryNanos = 20_000_000;

    // Streams beyond the limit that may wait for their refusal to arrive; with more their connection ends.
    private const int MostRefused = 4_096;

    /// <summary>Objects of streams that are kept for the next; more are left to the collector.</summary>
    public const int MostFree = 4_096;

    private readonly ConnectionTable _connections;
    private readonly LinkSource _source;
    private readonly StreamNotices _notices;
    private readonly KeyAsks _asks;
    private readonly PeerNumbers _numbers = new();
    private readonly Stack<StreamBody> _free = new();
    private readonly Queue<StreamBody> _waitToAllow = new(),
        _waitToWrite = new();
    private readonly LocalTurns _local;
    private readonly DisjointPaths _disjoint;
    private readonly ServerTimer _timer;
    private long _timerDue = long.MaxValue;
    private long _memoryNanos = long.MaxValue;
    private int _byKey;

    public StreamHost(IServer server, StreamOptions options, IStreamNews news, PacketForm form, ulong run)
    {
        (Server, Options, News, Form, Run) = (server, options, news, form, run);
        _disjoint = DisjointPaths.For(server.Shape);
        _timer = server.CreateTimer(OnTimer);
        _connections = new ConnectionTable(options, new StreamMeter(this));
        _notices = new StreamNotices(server, news, OfferToWriters);
        _asks = new KeyAsks(this);
        _local = new LocalTurns(this);
        SendMemory = new StreamMemory(server, "streams to send", options.SendMemory);
        ReceiveMemory = new StreamMemory(server, "streams received", options.ReceiveMemory);
        MostBody = server.Packets.MaxPayload - form.HeaderLength;
        _source = new LinkSource(this);
        (AckDelayNanos, OpenNanos, SilenceNanos) = (
            (long)options.AckDelay.TotalNanoseconds,
            (long)options.OpenTime.TotalNanoseconds,
            (long)options.SilenceTime.TotalNanoseconds
        );
        (IdleNanos, KeepNanos) = ((long)options.IdleTime.TotalNanoseconds, (long)options.KeepWhenLost.TotalNanoseconds);
        long grain = (long)server.Loop.TimerGrain.TotalNanoseconds;
        ProbeFloorNanos = grain == 0 ? 0 : grain + AckDelayNanos;
        Counters = new StreamCounters(server);
    }

    public IServer Server { get; }

    public StreamOptions Options { get; }

    /// <summary>Who tells of streams.</summary>
    public IStreamNews News { get; }

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

    public long IdleNanos { get; }

    public long KeepNanos { get; }

    /// <summary>A probe's time is at least this: timers of a real server are late.</summary>
    public long ProbeFloorNanos { get; }

    public long NowNanos => Server.NowNanos;

    /// <summary>Connections, opened and accepted.</summary>
    public IReadOnlyList<StreamConnection> Connections => _connections.All;

    /// <summary>Streams that were made and not given back.</summary>
    public int Streams { get; private set; }

    /// <summary>Somebody waits for memory to allow a peer more.</summary>
    public bool IsShort => _waitToAllow.Count > 0;

    public bool IsRunning => _source.IsRunning;

    public void Start() => _source.Start();

    public void Stop()
    {
        _timer.Cancel();
        while (_connections.All.Count > 0)
        {
            StreamConnection last = _connections.All[^1];
            SayClose(last, CloseReason.Stopping);
            last.End(new StreamEnd(StreamEndReason.Closed));
        }

        _source.Stop();
        _asks.End();
        _connections.End();
        _notices.Clear();
    }

    /// <summary>A path may have something to send.</summary>
    public void Ready(ConnectionPath path)
    {
        if (path.Connection.IsLocal)
        {
            _local.Add(path);
            return;
        }

        _source.Add(path);
    }

    /// <summary>The links with which paths to a server begin.</summary>
    public LinkSet SourceLinks(Coordinate peer, StreamPaths paths)
    {
        LinkSet all = _disjoint.SourceLinks(Server.Coordinate, peer);
        if (paths.Cable is { } cable)
        {
            return Server.Topology.LinksUp.Contains(cable) ? cable : all;
        }

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

    public StreamConnection? Find(in ConnectionKey key) => _connections.Find(key);

    /// <summary>Finds or begins a connection to a server. Null: there is no room for another.</summary>
    /// <param name="peer">The server.</param>
    /// <param name="terms">What is asked of it.</param>
    /// <param name="weight">Its weight from now on; 0: as it is.</param>
    public StreamConnection? Reach(Coordinate peer, in ConnectionTerms terms, int weight)
    {
        StreamConnection? connection =
            _connections.Find(peer, terms)
            ?? Add(new ConnectionKey(peer, _connections.TakeNumber(), IsOpener: true), 0, terms, Math.Max(1, weight));
        if (connection is not null && weight > 0)
        {
            connection.Weight = weight;
        }

        return connection;
    }

    /// <summary>A peer's run begins a connection with this key. False: it did so before.</summary>
    public bool TryUse(in ConnectionKey key, ulong run) => _numbers.TryUse(key.Peer, run, key.Number);

    /// <summary>A peer wants a connection. Null: there is no room for another.</summary>
    public StreamConnection? Accept(in ConnectionKey key, ulong run, in ConnectionTerms terms, int weight) =>
        Add(key, run, terms, weight);

    public void Remove(StreamConnection connection) => _connections.Remove(connection);

    /// <summary>A connection has no stream any more, or has one again.</summary>
    public void NoteIdle(StreamConnection connection, bool isIdle) =>
        _connections.NoteIdle(connection, isIdle && connection.State != ConnectionState.Over);

    /// <summary>Closes a connection without streams.</summary>
    public void CloseIdle(StreamConnection connection)
    {
        if (connection.State == ConnectionState.Open)
        {
            SayClose(connection, CloseReason.Idle);
        }

        connection.End(new StreamEnd(StreamEndReason.PeerLost));
    }

    /// <summary>A stream of this side. Null: there is no memory for the credit that it needs at least.</summary>
    public StreamBody? CreateStream(StreamConnection connection, uint id, in StreamPurpose purpose, KeyAsk? ask)
    {
        StreamBody stream = TakeFree(connection);
        if (stream.TryBegin(connection, id, purpose, ask))
        {
            return stream;
        }

        Free(stream);
        return null;
    }

    /// <summary>A stream of the peer: the handler is told of it, or it is refused. Null: far too many.</summary>
    public StreamBody? AcceptStream(StreamConnection connection, uint id, in StreamPurpose purpose)
    {
        if (Streams >= Options.Streams + MostRefused)
        {
            return null;
        }

        StreamBody stream = TakeFree(connection);
        bool hasMemory = stream.TryBegin(connection, id, purpose, ask: null);
        connection.Add(stream);
        _byKey += stream.IsAcceptedByKey ? 1 : 0;
        if (!hasMemory || Streams > Options.Streams)
        {
            stream.Refuse(ResetWhy.Refused);
        }
        else if (purpose.IsToKey && !Server.Topology.IsRoot(stream.AskedKey))
        {
            stream.Refuse(ResetWhy.NotRoot, Server.Topology.RootOf(stream.AskedKey));
        }
        else
        {
            Counters.Accepted.Add();
            Tell(stream, StreamNews.Incoming);
        }

        return stream;
    }

    /// <summary>A stream is over, and of no connection.</summary>
    public void Free(StreamBody stream)
    {
        Streams--;
        _byKey -= stream.IsAcceptedByKey ? 1 : 0;
        stream.Release();
        if (stream.Holds == 0)
        {
            Recycle(stream);
        }

        OfferToReaders();
        OfferToWriters();
    }

    /// <summary>Nobody holds a stream any more that was forgotten.</summary>
    public void Recycle(StreamBody stream)
    {
        if (_free.Count < MostFree)
        {
            _free.Push(stream);
        }
    }

    /// <summary>Goes on with a stream that nobody has answered for, on a new connection. False: there is
    /// none.</summary>
    public bool TryGoOn(StreamBody stream)
    {
        // A peer that the view has lost already would not be missed a second time.
        bool isThere = stream.Peer == Server.Coordinate || Server.Topology.IsReachable(stream.Peer);
        if (!IsRunning || !isThere || Reach(stream.Peer, stream.Connection.Terms, weight: 0) is not { } connection)
        {
            return false;
        }

        connection.Succeed(stream.Connection);
        stream.Detach();
        connection.Adopt(stream);
        return true;
    }

    /// <summary>Looks for the root of a stream's key once more, later.</summary>
    public void AskAgain(StreamBody stream, KeyAsk ask)
    {
        _asks.Add(stream, ask);
        Schedule(_asks.DueNanos);
    }

    /// <summary>A stream would like to allow its peer more, and there is no memory.</summary>
    public void WaitToAllow(StreamBody stream)
    {
        stream.Holds++;
        _waitToAllow.Enqueue(stream);
        LookForMemory();
    }

    /// <summary>Memory has come back.</summary>
    public void OfferToReaders()
    {
        for (int n = _waitToAllow.Count; n > 0 && _waitToAllow.TryDequeue(out StreamBody? stream); n--)
        {
            bool goesOn = stream.TryAllowAgain();
            stream.LetGo();
            if (!goesOn)
            {
                return;
            }
        }
    }

    /// <summary>A stream would like to take more bytes of its writer, and there is no memory.</summary>
    public void WaitToWrite(StreamBody stream)
    {
        stream.Holds++;
        _waitToWrite.Enqueue(stream);
        LookForMemory();
    }

    /// <summary>Memory for what is written may be there: one of those that wait tries it, and then the next.</summary>
    public void OfferToWriters()
    {
        if (SendMemory.HasRoom(Chunk.Size) && _waitToWrite.TryDequeue(out StreamBody? stream))
        {
            stream.OnWriteMemory();
            stream.LetGo();
        }
    }

    /// <summary>The handler, and who waits, is told after this callback.</summary>
    public void Tell(StreamBody stream, StreamNews news) => _notices.Add(stream, news);

    /// <summary>Something that is of no connection is due at this time, at the latest.</summary>
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
    /// by another. True: it was that packet, and it is gone.</summary>
    public bool SendAck(StreamConnection connection, ConnectionPath path, Packet? turned)
    {
        int length = path.Received.Length;
        // Not by its capacity: that depends on what lies in one process.
        bool isTurned = turned is not null && turned.BodyLength >= length;
        Packet? packet = isTurned ? turned : Rent(length);
        if (packet is null)
        {
            path.Received.Postpone(NowNanos + AckDelayNanos);
            connection.Schedule();
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
        for (int i = _connections.All.Count - 1; i >= 0; i = Math.Min(i, _connections.All.Count) - 1)
        {
            StreamConnection connection = _connections.All[i];
            if (change.Server == connection.Key.Peer && !connection.IsLocal)
            {
                switch (change.Event)
                {
                    case TopologyEvent.ServerLost:
                    case TopologyEvent.ServerUnreachable:
                        connection.NoteLost(isLost: true);
                        break;
                    case TopologyEvent.ServerReturned:
                        connection.NoteLost(isLost: false);
                        break;
                }
            }

            if (connection.State != ConnectionState.Over)
            {
                connection.Refresh();
            }
        }

        for (int i = _connections.All.Count - 1; i >= 0 && _byKey > 0; i--)
        {
            _connections.All[i].EndMoved();
        }
    }

    /// <summary>Tells the other end that the connection is over.</summary>
    public void SayClose(StreamConnection connection, CloseReason reason)
    {
        if (Rent(0) is { } packet)
        {
            connection.Head(packet, StreamPacketKind.Close, PathWord.Routed).Reason = reason;
            Server.Send(packet, connection.Key.Peer);
        }
    }

    // Others of the server may give memory back, and nobody tells.
    private void LookForMemory()
    {
        _memoryNanos = Math.Min(_memoryNanos, NowNanos + MemoryNanos);
        Schedule(_memoryNanos);
    }

    private StreamBody TakeFree(StreamConnection connection)
    {
        Streams++;
        return _free.TryPop(out StreamBody? stream) ? stream : new StreamBody(connection);
    }

    private StreamConnection? Add(in ConnectionKey key, ulong run, in ConnectionTerms terms, int weight)
    {
        if (_connections.MakeRoom(key.Peer, key.IsOpener, out bool hasRoom) is { } idle)
        {
            CloseIdle(idle);
        }

        if (!hasRoom)
        {
            return null;
        }

        var connection = new StreamConnection(this, key, run, terms, weight);
        _connections.Add(connection);
        connection.Wake();
        return connection;
    }

    private void OnTimer()
    {
        long now = NowNanos;
        _timerDue = long.MaxValue;
        _asks.OnTimer(now);
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

        Schedule(Math.Min(_asks.DueNanos, _memoryNanos));
    }
}
