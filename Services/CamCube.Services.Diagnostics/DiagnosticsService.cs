using System.Text.Json;

namespace CamCube.Services.Diagnostics;

/// <summary>
/// Ping and the benchmark sender and receiver of HPDC §4.2. A ping uses what every service uses: the counter in its header is changed at
/// each hop in place (no copy), and the destination answers by turning the packet round.
/// </summary>
[CamCubeService(0x0101, "diagnostics", Header = typeof(DiagnosticsHeader))]
public sealed class DiagnosticsService : CamCubeService, IDiagnostics, IServiceCommands, IPacketSource
{
    private const int MostTargets = 64;
    private readonly IServer _server;
    private readonly ReplyTable<PingReply> _asked;
    private readonly ReplyTable<ServerSummary> _summaries;
    private readonly Counter _received;
    private readonly Counter _receivedBytes;
    private readonly IOutboundTurn _turn;
    private int _loadLength;
    private bool _loadIsVirtual;
    private long _loadRun;

    /// <summary>A service for one server.</summary>
    public DiagnosticsService(IServer server)
    {
        _server = server;
        _asked = new ReplyTable<PingReply>(server);
        _summaries = new ReplyTable<ServerSummary>(server);
        _received = server.CreateCounter("load.received", "{packet}");
        _receivedBytes = server.CreateCounter("load.received.bytes", "By");
        _turn = server.AddSource(this);
    }

    /// <inheritdoc/>
    public long LoadReceivedPackets => _received.Value;

    /// <inheritdoc/>
    public long LoadReceivedBytes => _receivedBytes.Value;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands { get; } =
    [
        new("ping", "Round trips to a server, or to several in turn. to=x,y,z[;x,y,z...] [count=4 (to each)] [size=56] [timeout=1000 (ms)]"),
        new("load", "Keeps links busy with packets to the neighbours. [links=+x,-y (all)] [size=1472 (bytes of body)] [for=10 (s); 0 ends it]"),
        new("servers", "State and counters of every server of the cube, asked through the torus. [timeout=1000 (ms, for each)]"),
    ];

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref DiagnosticsHeader header = ref packet.Header<DiagnosticsHeader>();
        if (hop.ArrivedOn != Link.Local)
        {
            header.Counter++;
        }

        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        switch (header.Kind)
        {
            case DiagnosticsKind.Ping:
                (header.Kind, header.HopsThere) = (DiagnosticsKind.Pong, header.Counter);
                packet.TurnRound(_server.Coordinate, _server.DefaultHopLimit);

                // Back on the cable it came by if that begins a shortest way, so that a round trip measures one way and not two: from the
                // opposite side of an even ring the other half is as short, with servers that the question did not wake. To oneself this is Local.
                return _server.Topology.NextHops(packet.Destination).Contains(hop.ArrivedOn) ? Verdict.Via(hop.ArrivedOn) : Verdict.Forward;
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
                return SummaryCodec.Read(packet.Body) is not { } summary ? Verdict.Drop(DropReason.Malformed)
                    : _summaries.TryAdd(header.Question, summary) ? Verdict.Consume : Verdict.Drop(DropReason.Stale);
            default:
                return Verdict.Drop(DropReason.Malformed);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<PingReply> PingAsync(Destination to, int bodyLength, TimeSpan timeout)
    {
        using Replies<PingReply> question = _asked.Ask();
        if (!_server.TryRent(bodyLength, out Packet? packet))
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

        return await question.WaitAsync(1, timeout) == WaitResult.Enough ? question[0] : default;
    }

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
        if (!_server.TryRent(_loadIsVirtual ? 0 : _loadLength, out Packet? packet))
        {
            return null;
        }

        packet.Header<DiagnosticsHeader>().Kind = DiagnosticsKind.Load;
        packet.Destination = _server.Topology.Neighbour(link);
        packet.VirtualLength = _loadIsVirtual ? _loadLength : 0;
        return packet;
    }

    /// <inheritdoc/>
    public async ValueTask<CommandResult> RunCommandAsync(string command, IReadOnlyDictionary<string, string> arguments)
    {
        return command switch
        {
            "ping" => await PingAsync(arguments),
            "load" => Load(arguments),
            "servers" => await ServersAsync(arguments),
            _ => new CommandResult(false, $"there is no command '{command}'; there are: ping, load, servers"),
        };
    }

    // A load that nobody ends would go on for ever: it ends itself.
    private CommandResult Load(IReadOnlyDictionary<string, string> arguments)
    {
        LinkSet cabled = _server.Shape.CabledLinks(_server.Coordinate), links = cabled;
        if (arguments.TryGetValue("links", out string? text) && !TryLinks(text, cabled, out links))
        {
            return new CommandResult(false, $"links={text} must be some of this server's links {cabled}, as in +x,-y");
        }

        if (!CommandNumbers.TryRead(arguments, "size", 1_472, 0, _server.MaxPayload - 24, out int size, out string fault) ||
            !CommandNumbers.TryRead(arguments, "for", 10, 0, 3_600, out int seconds, out fault))
        {
            return new CommandResult(false, fault);
        }

        long run = ++_loadRun;
        StopLoad();
        if (seconds > 0)
        {
            StartLoad(links, size, isVirtual: false);
            _server.Run(() => EndLoadAsync(run, TimeSpan.FromSeconds(seconds)));
        }

        return new CommandResult(true, "{}");
    }

    private async ValueTask EndLoadAsync(long run, TimeSpan after)
    {
        if (await _server.DelayAsync(after) && run == _loadRun)
        {
            StopLoad();
        }
    }

    private static bool TryLinks(string text, LinkSet cabled, out LinkSet links)
    {
        links = LinkSet.None;
        foreach (string name in text.Split(','))
        {
            // In a query a + is a space.
            if (!Links.TryParse(name.Replace(' ', '+'), out Link link) || !cabled.Contains(link))
            {
                return false;
            }

            links |= link;
        }

        return true;
    }

    private async ValueTask<CommandResult> ServersAsync(IReadOnlyDictionary<string, string> arguments)
    {
        if (!CommandNumbers.TryRead(arguments, "timeout", 1_000, 1, 60_000, out int timeout, out string fault))
        {
            return new CommandResult(false, fault);
        }

        var round = new SummaryRound(_server, AskAsync);
        IReadOnlyList<ServerSummary?> servers = await round.RunAsync(TimeSpan.FromMilliseconds(timeout));
        return new CommandResult(true, SummaryJson.Write(_server.Shape, _server.Coordinate, servers));
    }

    private async ValueTask<ServerSummary?> AskAsync(Coordinate to, TimeSpan timeout)
    {
        using Replies<ServerSummary> question = _summaries.Ask();
        if (!_server.TryRent(0, out Packet? packet))
        {
            return null;
        }

        packet.Header<DiagnosticsHeader>() = new DiagnosticsHeader { Kind = DiagnosticsKind.Ask, Question = question.Id };
        return _server.Send(packet, to) == SendResult.Accepted && await question.WaitAsync(1, timeout) == WaitResult.Enough ? question[0] : null;
    }

    private void Answer(Packet asked, ulong question)
    {
        Span<byte> bytes = stackalloc byte[SummaryCodec.MostBytes];
        int length = SummaryCodec.Write(_server.Summarise(), bytes);
        if (_server.TryRent(length, out Packet? packet))
        {
            bytes[..length].CopyTo(packet.WritableBody());
            packet.Header<DiagnosticsHeader>() = new DiagnosticsHeader { Kind = DiagnosticsKind.Summary, Question = question };
            _server.Send(packet, asked.Source);
        }
    }

    private async ValueTask<CommandResult> PingAsync(IReadOnlyDictionary<string, string> arguments)
    {
        List<Coordinate> targets = [];
        string[] names = arguments.TryGetValue("to", out string? text) ? text.Split(';') : [];
        foreach (string name in names)
        {
            if (Coordinate.TryParse(name, out Coordinate to) && _server.Shape.Contains(to))
            {
                targets.Add(to);
            }
        }

        if (names.Length is 0 or > MostTargets || targets.Count < names.Length)
        {
            return new CommandResult(false, $"to={text} must be a coordinate x,y,z inside {_server.Shape}, or up to {MostTargets} with ; between");
        }

        if (!CommandNumbers.TryRead(arguments, "count", 4, 1, 10_000, out int count, out string fault) ||
            !CommandNumbers.TryRead(arguments, "size", 56, 0, _server.MaxPayload - 24, out int size, out fault) ||
            !CommandNumbers.TryRead(arguments, "timeout", 1_000, 1, 60_000, out int timeout, out fault))
        {
            return new CommandResult(false, fault);
        }

        // In turn, so that all are asked under the same conditions.
        var replies = new List<PingReply>(count * targets.Count);
        for (int i = 0; i < count * targets.Count; i++)
        {
            replies.Add(await PingAsync(targets[i % targets.Count], size, TimeSpan.FromMilliseconds(timeout)));
        }

        return new CommandResult(true, ToJson(text!, size, replies));
    }

    private string ToJson(string to, int size, List<PingReply> replies)
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

        return System.Text.Encoding.UTF8.GetString(stream.ToArray());
    }
}
