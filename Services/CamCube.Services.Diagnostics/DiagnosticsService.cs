using System.Runtime.CompilerServices;
using System.Text.Json;
using CamCube.Calls;

namespace CamCube.Services.Diagnostics;

/// <summary>
/// Ping and the benchmark sender and receiver of HPDC §4.2. A ping uses what every service uses: the counter in its
/// header is changed at each hop in place (no copy), and the destination answers by turning the packet round.
/// </summary>
[CamCubeService(0x0101, "diagnostics", Header = typeof(DiagnosticsHeader))]
public sealed class DiagnosticsService : CamCubeService, IDiagnostics, IServiceCommands, IPacketSource
{
    // Times a server is asked for its summary before it counts as unreachable: a packet may be lost.
    private const int Attempts = 3;
    private readonly IServer _server;
    private readonly ReplyTable<PingReply> _asked;
    private readonly ServerRounds<SummaryRound> _rounds;
    private readonly Counter _received;
    private readonly Counter _receivedBytes;
    private readonly IOutboundTurn _turn;
    private readonly Tracer _tracer;
    private int _loadLength;
    private bool _loadIsVirtual;
    private long _loadRun;

    /// <summary>A service for one server.</summary>
    public DiagnosticsService(IServer server, DiagnosticsOptions options)
    {
        _server = server;
        _asked = new ReplyTable<PingReply>(server);
        _rounds = new ServerRounds<SummaryRound>(server);
        _received = server.Counters.Create("load.received", "{packet}");
        _receivedBytes = server.Counters.Create("load.received.bytes", "By");
        _turn = server.AddSource(this);
        _tracer = new Tracer(server, options);
    }

    /// <inheritdoc/>
    public long LoadReceivedPackets => _received.Value;

    /// <inheritdoc/>
    public long LoadReceivedBytes => _receivedBytes.Value;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<PingArguments, CommandResult>(
                "ping",
                "Round trips to a server, or to several in turn.",
                PingAsync
            ),
            ServiceCommand.Of<TraceArguments, CommandResult>(
                "trace",
                "The way of a packet to a server, hop by hop.",
                _tracer.RunAsync
            ),
            ServiceCommand.Of<LoadArguments, CommandResult>(
                "load",
                "Keeps links busy with packets to the neighbours.",
                LoadAsync,
                changes: true
            ),
            ServiceCommand.Of<ServersArguments, CommandResult>(
                "servers",
                "State and counters of every server of the cube, asked through the torus.",
                ServersAsync
            ),
        ];

    private int MostBody => _server.Packets.MaxPayload - Unsafe.SizeOf<DiagnosticsHeader>();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref DiagnosticsHeader header = ref packet.Header<DiagnosticsHeader>();
        if (hop.ArrivedOn != Link.Local)
        {
            header.Counter++;
        }

        if (header.Kind == DiagnosticsKind.Trace)
        {
            return _tracer.OnTrace(hop, packet);
        }

        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        switch (header.Kind)
        {
            case DiagnosticsKind.Ping:
                (header.Kind, header.HopsThere) = (DiagnosticsKind.Pong, header.Counter);
                packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);

                // Back on the cable it came by if that begins a shortest way, so that a round trip measures one way and
                // not two: from the opposite side of an even ring the other half is as short, with servers that the
                // question did not wake.
                return _server.Topology.NextHops(packet.Destination).Contains(hop.ArrivedOn)
                    ? Verdict.Via(hop.ArrivedOn)
                    : Verdict.Forward;
            case DiagnosticsKind.Pong:
                int back = header.Counter - (int)header.HopsThere;
                var reply = new PingReply(true, (int)header.HopsThere, back, hop.NowNanos - header.SentNanos);
                return _asked.TryAdd(header.Question, reply) ? Verdict.Consume : Verdict.Drop(DropReason.Stale);
            case DiagnosticsKind.Load:
                _received.Add();
                _receivedBytes.Add(packet.WireLength);
                return Verdict.Consume;
            case DiagnosticsKind.Ask:
                Answer(packet, header.Question);
                return Verdict.Consume;
            case DiagnosticsKind.Summary:
                return Take(packet, header.Question);
            case DiagnosticsKind.Traced:
                return _tracer.OnTraced(hop, packet);
            default:
                return Verdict.Drop(DropReason.Malformed);
        }
    }

    /// <inheritdoc/>
    public ValueTask<PingReply> PingAsync(Destination to, int bodyLength, TimeSpan timeout) =>
        PingAsync(to, bodyLength, timeout, CancellationToken.None);

    /// <inheritdoc/>
    public void StartLoad(LinkSet links, int bodyLength, bool isVirtual)
    {
        (_loadLength, _loadIsVirtual) = (bodyLength, isVirtual);
        _turn.Ready = links;
    }

    /// <inheritdoc/>
    public void StopLoad() => _turn.Ready = LinkSet.None;

    /// <inheritdoc/>
    public Packet? OnPoll(Link link)
    {
        if (!_server.Packets.TryRent(_loadIsVirtual ? 0 : _loadLength, out Packet? packet))
        {
            return null;
        }

        packet.Header<DiagnosticsHeader>().Kind = DiagnosticsKind.Load;
        packet.Destination = _server.Topology.Neighbour(link);
        packet.VirtualLength = _loadIsVirtual ? _loadLength : 0;
        return packet;
    }

    private async ValueTask<PingReply> PingAsync(
        Destination to,
        int bodyLength,
        TimeSpan timeout,
        CancellationToken cancel
    )
    {
        if (!_asked.TryAsk(out Replies<PingReply>? asked))
        {
            return default;
        }

        using Replies<PingReply> question = asked;
        if (!_server.Packets.TryRent(bodyLength, out Packet? packet))
        {
            return default;
        }

        packet.WritableBody().Clear();
        packet.Header<DiagnosticsHeader>() = new DiagnosticsHeader
        {
            Kind = DiagnosticsKind.Ping,
            Question = question.Id,
            SentNanos = _server.NowNanos,
        };
        if (_server.Send(packet, to) != SendResult.Accepted)
        {
            return default;
        }

        return await question.WaitAsync(1, timeout, cancel) == WaitResult.Enough ? question[0] : default;
    }

    // A load that nobody ends would go on for ever: it ends itself.
    private ValueTask<CommandResult> LoadAsync(LoadArguments arguments, CommandContext context)
    {
        LinkSet cabled = _server.Shape.CabledLinks(_server.Coordinate),
            links = arguments.Links ?? cabled;
        int most = MostBody;
        if (!(links - cabled).IsEmpty)
        {
            return new(CommandResult.Refused($"links={links} must be some of this server's links {cabled}."));
        }

        if (arguments.Size > most)
        {
            return new(CommandResult.Refused(TooLarge(arguments.Size.Value)));
        }

        long run = ++_loadRun;
        StopLoad();
        if (arguments.For > TimeSpan.Zero)
        {
            StartLoad(links, arguments.Size ?? Math.Min(LoadArguments.UsualSize, most), isVirtual: false);
            _server.Loop.Run(() => EndLoadAsync(run, arguments.For));
        }

        return new(CommandResult.Done);
    }

    private async ValueTask EndLoadAsync(long run, TimeSpan after)
    {
        if (await _server.DelayAsync(after) && run == _loadRun)
        {
            StopLoad();
        }
    }

    private async ValueTask<CommandResult> ServersAsync(ServersArguments arguments, CommandContext context)
    {
        var round = new SummaryRound(_server);
        round.Add(_server.Coordinate, _server.Counters.Summarise());
        Coordinate[] others =
        [
            .. Enumerable.Range(0, _server.Shape.Count).Select(_server.Shape.At).Where(c => c != _server.Coordinate),
        ];
        await _rounds.AskAsync(round, others, Attempts, arguments.Timeout / Attempts, context.Cancel);
        context.Cancel.ThrowIfCancellationRequested();
        return CommandResult.Json(SummaryJson.Write(_server.Shape, _server.Coordinate, round.Answers));
    }

    private Verdict Take(Packet packet, ulong question)
    {
        if (SummaryCodec.Read(packet.Body) is not { } summary)
        {
            return Verdict.Drop(DropReason.Malformed);
        }

        if (!_rounds.TryAnswer(question, packet.Source, out SummaryRound? round))
        {
            return Verdict.Drop(DropReason.Stale);
        }

        round.Add(packet.Source, summary);
        return Verdict.Consume;
    }

    private void Answer(Packet asked, ulong question)
    {
        Span<byte> bytes = stackalloc byte[SummaryCodec.MostBytes];
        int length = SummaryCodec.Write(_server.Counters.Summarise(), bytes);
        if (_server.Packets.TryRent(length, out Packet? packet))
        {
            bytes[..length].CopyTo(packet.WritableBody());
            packet.Header<DiagnosticsHeader>() = new DiagnosticsHeader
            {
                Kind = DiagnosticsKind.Summary,
                Question = question,
            };
            _server.Send(packet, asked.Source);
        }
    }

    private async ValueTask<CommandResult> PingAsync(PingArguments arguments, CommandContext context)
    {
        foreach (Coordinate to in arguments.To)
        {
            if (!_server.Shape.Contains(to))
            {
                return CommandResult.Refused($"to={to} is outside of {_server.Shape}.");
            }
        }

        if (arguments.Size > MostBody)
        {
            return CommandResult.Refused(TooLarge(arguments.Size));
        }

        if (arguments.Count * arguments.To.Length > PingArguments.Most)
        {
            return CommandResult.Refused(
                $"count={arguments.Count} to each of {arguments.To.Length} servers is more than "
                    + $"{PingArguments.Most} pings."
            );
        }

        // In turn, so that all are asked under the same conditions.
        var replies = new List<PingReply>();
        for (int i = 0; i < arguments.Count * arguments.To.Length; i++)
        {
            context.Cancel.ThrowIfCancellationRequested();
            replies.Add(
                await PingAsync(
                    arguments.To[i % arguments.To.Length],
                    arguments.Size,
                    arguments.Timeout,
                    context.Cancel
                )
            );
        }

        return CommandResult.Json(ToJson(string.Join(';', arguments.To), arguments.Size, replies));
    }

    private string TooLarge(int size) =>
        $"size={size} is more than the {MostBody} bytes of body that fit into a packet here.";

    private ReadOnlyMemory<byte> ToJson(string to, int size, List<PingReply> replies)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            json.WriteStartObject();
            json.WriteString("from", _server.Coordinate.ToString());
            json.WriteString("to", to);
            json.WriteNumber("size", size);
            json.WriteStartArray("replies");
            foreach (PingReply reply in replies)
            {
                json.WriteStartObject();
                json.WriteBoolean("answered", reply.IsAnswered);
                json.WriteNumber("hopsThere", reply.HopsThere);
                json.WriteNumber("hopsBack", reply.HopsBack);
                json.WriteNumber("roundTripMicros", reply.RoundTripNanos / 1_000.0);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        return stream.GetBuffer().AsMemory(0, (int)stream.Length);
    }
}
