using System.Diagnostics.CodeAnalysis;
using CamCube.Messaging.Streams.Connections;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging;

/// <summary>
/// Reliable streams between the instances of one service (docs/streams.md). The service creates the endpoint in its
/// constructor, and calls <see cref="Start"/>, <see cref="OnPacket"/>, <see cref="OnTopologyChanged"/> and
/// <see cref="Stop"/> from its own callbacks, as with <see cref="MessageChannel{THeader}"/>, beside which it may be
/// used in the same service: <see cref="IsOfStreams"/> tells whose a packet is. One of the service's sources. Loop
/// only; no call throws for what arrives.
/// </summary>
/// <typeparam name="THeader">The service's header.</typeparam>
public sealed class StreamEndpoint<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    private readonly IServer _server;
    private readonly StreamOptions _options;
    private readonly StreamTeller _teller;
    private readonly StreamHost _host;

    /// <summary>An endpoint of one service on one server.</summary>
    /// <param name="server">The service's server.</param>
    /// <param name="options">Limits; not changed afterwards.</param>
    /// <param name="handler">Who is told of streams.</param>
    public StreamEndpoint(IServer server, StreamOptions options, IStreamHandler handler)
    {
        (_server, _options) = (server, options);

        // A service that restarts within one run of its server begins another run. Counters outlive it, so they know.
        long sinceUnix = server.TimeProvider.GetUtcNow().Ticks - DateTime.UnixEpoch.Ticks;
        ulong nowMicros = (ulong)Math.Max(0, sinceUnix / TimeSpan.TicksPerMicrosecond);
        Counter starts = new StreamCounters(server).Starts;
        Run = Math.Max(server.Incarnation, nowMicros) + (ulong)starts.Value;
        starts.Add();
        _teller = new StreamTeller(handler);
        _host = new StreamHost(server, options, _teller, new PacketFormOf<THeader>(), Run);
    }

    /// <summary>Run of this endpoint: another than that of every earlier one of this server and service.</summary>
    public ulong Run { get; }

    /// <summary>Streams that are open, or whose last words are under way.</summary>
    public int Streams => _host.Streams;

    /// <summary>Connections, opened and accepted.</summary>
    public int Connections => _host.Connections.Count;

    /// <summary>Bytes set apart for what was written and has not arrived.</summary>
    public long SendBytes => _host.SendMemory.Reserved;

    /// <summary>Bytes set apart for what peers may send and what was not read.</summary>
    public long ReceiveBytes => _host.ReceiveMemory.Reserved;

    /// <summary>Packets that were lost, of all connections that are there.</summary>
    public long Lost => _host.Connections.Sum(c => c.Paths.Lost);

    /// <summary>Whether a packet of the service is one of streams, and no message's.</summary>
    public static bool IsOfStreams(Packet packet) =>
        (byte)THeader.MessageOf(ref packet.Header<THeader>()).Kind >= (byte)StreamPacketKind.Hello;

    /// <summary>To be called in <see cref="ICamCubeService.OnStart"/>, once.</summary>
    public void Start() => _host.Start();

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnTopologyChanged"/>.</summary>
    public void OnTopologyChanged(in TopologyChange change) => _host.OnTopologyChanged(change);

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnStop"/>: ends all streams.</summary>
    public void Stop() => _host.Stop();

    /// <summary>Opens a stream. Bytes may be written at once; they leave when the peer has answered.</summary>
    /// <param name="to">A server, this one too; or a key: the stream is bound to the server that is its root
    /// now.</param>
    /// <param name="parameters">What its opener says of it.</param>
    /// <param name="stream">The stream, the caller's.</param>
    public StreamOpen TryOpen(
        Destination to,
        in StreamParameters parameters,
        [NotNullWhen(true)] out ReliableStream? stream
    )
    {
        stream = null;
        if (!_host.IsRunning)
        {
            return StreamOpen.Closed;
        }

        ITopologyView view = _server.Topology;
        Coordinate peer = to.IsKey ? view.RootOf(new Key(to.Route, 0, 0)) : to.Server;
        if (
            !_server.Shape.Contains(peer)
            || (parameters.Paths.Cable is { } cable && (to.IsKey || view.Neighbour(cable) != peer))
        )
        {
            return StreamOpen.Unsupported;
        }

        if (peer != _server.Coordinate && !view.IsReachable(peer))
        {
            return StreamOpen.NoRoute;
        }

        var terms = new ConnectionTerms(parameters.Paths, parameters.Channel);
        if (_host.Streams >= _options.Streams || _host.Reach(peer, terms, parameters.Weight) is not { } connection)
        {
            return StreamOpen.Full;
        }

        const int ChunkSize = Chunk.Size;
        var purpose = new StreamPurpose(
            parameters.Label,
            to.IsKey ? to.Route : 0,
            StreamPurpose.FlagsOf(to.IsKey, parameters.Pin, parameters.Priority),
            (byte)((parameters.LeastCredit + ChunkSize - 1) / ChunkSize)
        );
        KeyAsk? ask = to.IsKey ? new KeyAsk(terms, _server.NowNanos + _host.OpenNanos) : null;
        if (connection.Open(purpose, ask) is not { } body)
        {
            return StreamOpen.Full;
        }

        stream = _teller.FaceOf(body);
        return StreamOpen.Ok;
    }

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnPacket"/>, which returns the
    /// verdict.</summary>
    public Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref StreamHeader header = ref StreamHeader.Of(ref THeader.MessageOf(ref packet.Header<THeader>()));
        if (!hop.IsDestination)
        {
            return OnItsWay(hop, packet, ref header);
        }

        if (
            !header.Path.IsValid
            || header.Connection == 0
            || packet.Destination.IsKey
            || !_server.Shape.Contains(packet.Source)
        )
        {
            return Malformed();
        }

        return header.Kind switch
        {
            StreamPacketKind.Hello => OnHello(packet, header),
            StreamPacketKind.Welcome => OnWelcome(packet, header),
            StreamPacketKind.Frames or StreamPacketKind.Acks => OnFrames(packet, header),
            StreamPacketKind.Close => OnClose(packet, header),
            _ => Malformed(),
        };
    }

    // Keeps to its path, and is marked where much waits; where the path is broken it goes on by base routing.
    private Verdict OnItsWay(in HopContext hop, Packet packet, ref StreamHeader header)
    {
        PathWord path = header.Path;
        if (header.Kind != StreamPacketKind.Frames || path.Path == PathWord.Routed || path.HasLeft)
        {
            return Verdict.Forward;
        }

        LinkSet next = packet.Destination.IsKey ? LinkSet.None : _host.NextHop(packet, hop.ArrivedOn);
        if (next.IsEmpty)
        {
            header.Path = path.Leave();
            return Verdict.Forward;
        }

        if (_server.BacklogOf(next.First).OwnPackets >= _options.MarkPackets && header.Marked == 0)
        {
            header.Marked = 1;
            _host.Counters.Marked.Add();
        }

        return Verdict.Via(next);
    }

    private Verdict OnHello(Packet packet, in StreamHeader header)
    {
        var key = new ConnectionKey(packet.Source, header.Connection, IsOpener: false);
        StreamConnection? connection = _host.Find(key);
        if (connection is not null && connection.IsBefore(header.Run))
        {
            return Stray();
        }

        if (!ConnectionTerms.TryRead(packet.Body, out ConnectionTerms terms, out int weight))
        {
            return Malformed();
        }

        if (connection?.PeerRun != header.Run && _host.IsRunning && !_host.TryUse(key, header.Run))
        {
            // That one is over: begun anew it would be told again of streams that it has had, and give numbers to its
            // packets that the opener has seen.
            return Close(packet, header, CloseReason.Unknown);
        }

        if (connection is not null && connection.PeerRun != header.Run)
        {
            // Another run of the peer, with a number that an earlier one had.
            connection.End(new StreamEnd(StreamEndReason.PeerRestarted));
            connection = null;
        }

        connection ??= _host.IsRunning ? _host.Accept(key, header.Run, terms, weight) : null;
        if (connection is null)
        {
            return Close(packet, header, CloseReason.Full);
        }

        packet.SetBodyLength(0);
        connection.Head(packet, StreamPacketKind.Welcome, PathWord.Routed);
        packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    private Verdict OnWelcome(Packet packet, in StreamHeader header)
    {
        if (header.PeerRun != (uint)Run)
        {
            return Stray();
        }

        StreamConnection? connection = _host.Find(new ConnectionKey(packet.Source, header.Connection, IsOpener: true));
        if (connection is null)
        {
            return Stray();
        }

        connection.Welcome(header.Run);
        return Verdict.Consume;
    }

    private Verdict OnFrames(Packet packet, in StreamHeader header)
    {
        StreamConnection? connection = FindFor(packet, header);
        if (connection is null || header.PeerRun != (uint)Run || connection.PeerRun != header.Run)
        {
            return connection is { State: ConnectionState.Greeting }
                ? Stray()
                : Close(packet, header, CloseReason.Unknown);
        }

        StreamHeader copy = header;
        if (!connection.TryTake(packet, copy))
        {
            _host.Counters.Malformed.Add();
            _host.SayClose(connection, CloseReason.Malformed);
            connection.End(new StreamEnd(StreamEndReason.Malformed));
            return Verdict.Consume;
        }

        ConnectionPath path = connection.Paths.At(copy.Path.Path);
        connection.Wake();
        if (connection.State != ConnectionState.Open || path.Received.AckNanos > _server.NowNanos)
        {
            return Verdict.Consume;
        }

        return _host.SendAck(connection, path, packet) ? Verdict.Taken : Verdict.Consume;
    }

    private Verdict OnClose(Packet packet, in StreamHeader header)
    {
        if (
            FindFor(packet, header) is not { } connection
            || header.PeerRun != (uint)Run
            || connection.IsBefore(header.Run)
        )
        {
            return Stray();
        }

        bool isGreeting = connection.State == ConnectionState.Greeting,
            isSame = isGreeting || connection.PeerRun == header.Run;

        // Of the same run, which never knew of a stream or has forgotten the connection when it had none.
        bool mayGoOn = isSame && header.Reason is CloseReason.Idle or CloseReason.Unknown;
        StreamEndReason reason =
            isGreeting && !mayGoOn ? StreamEndReason.Refused
            : isSame ? StreamEndReason.PeerLost
            : StreamEndReason.PeerRestarted;
        connection.End(new StreamEnd(reason), mayGoOn);
        return Verdict.Consume;
    }

    private StreamConnection? FindFor(Packet packet, in StreamHeader header) =>
        _host.Find(new ConnectionKey(packet.Source, header.Connection, !header.Path.IsFromOpener));

    // Whoever sends frames of a connection that is not known here learns it, with this run.
    private Verdict Close(Packet packet, in StreamHeader header, CloseReason reason)
    {
        _host.Counters.Stray.Add();
        if (header.Kind == StreamPacketKind.Acks)
        {
            return Verdict.Consume;
        }

        ref StreamHeader answer = ref StreamHeader.Of(ref THeader.MessageOf(ref packet.Header<THeader>()));
        answer = new StreamHeader
        {
            Run = Run,
            PeerRun = (uint)header.Run,
            Connection = header.Connection,
            Kind = StreamPacketKind.Close,
            Path = new PathWord(PathWord.Routed, !header.Path.IsFromOpener),
            Reason = reason,
        };
        packet.SetBodyLength(0);
        packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    private Verdict Stray()
    {
        _host.Counters.Stray.Add();
        return Verdict.Consume;
    }

    private Verdict Malformed()
    {
        _host.Counters.Malformed.Add();
        return Verdict.Drop(DropReason.Malformed);
    }
}
