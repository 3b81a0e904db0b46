using System.Runtime.CompilerServices;

namespace CamCube.Services.Diagnostics;

/// <summary>
/// The command trace: a packet in which every server on its way writes itself in, and which the last one sends back.
/// What is lost comes back from nowhere, so after a trace without an answer shorter ones follow, one hop longer each,
/// until one has no answer either: then it is known how far they come. Loop only.
/// </summary>
internal sealed class Tracer(IServer server, DiagnosticsOptions options)
{
    // A shorter trace may be lost by chance like any packet.
    private const int Attempts = 2;

    // Room beyond twice the shortest way, for a way round failures. One that needs more is sent again.
    private const int Spare = 16;
    private readonly ReplyTable<TraceReply> _asked = new(server);
    private readonly TraceRelay _relay = new(server);
    private int _running;

    private int MostHops =>
        Math.Min(
            TraceCodec.MostHops,
            ((server.Packets.MaxPayload - Unsafe.SizeOf<DiagnosticsHeader>()) / TraceCodec.Unit) - 1
        );

    /// <summary>A trace of somebody came; on loan to the callback.</summary>
    public Verdict OnTrace(in HopContext hop, Packet packet) => _relay.OnTrace(hop, packet);

    /// <summary>A trace came back; on loan to the callback.</summary>
    public Verdict OnTraced(in HopContext hop, Packet packet)
    {
        if (TraceCodec.ReadAnswer(packet.Body, server.Shape) is not { } hops)
        {
            return Verdict.Drop(DropReason.Malformed);
        }

        ref DiagnosticsHeader header = ref packet.Header<DiagnosticsHeader>();
        var reply = new TraceReply(hops, hop.NowNanos - header.SentNanos);
        return _asked.TryAdd(header.Question, reply) ? Verdict.Consume : Verdict.Drop(DropReason.Stale);
    }

    /// <summary>The command.</summary>
    public async ValueTask<CommandResult> RunAsync(TraceArguments arguments, CommandContext context)
    {
        Coordinate from = arguments.From ?? server.Coordinate;
        if (!server.Shape.Contains(arguments.To))
        {
            return CommandResult.Refused($"to={arguments.To} is outside of {server.Shape}.");
        }

        if (!server.Shape.Contains(from))
        {
            return CommandResult.Refused($"from={from} is outside of {server.Shape}.");
        }

        ServiceId service = default;
        if (arguments.Service is { } name && WhyNot(name, out service) is { } why)
        {
            return CommandResult.Refused(why);
        }

        if (_running >= options.TraceLimit)
        {
            return CommandResult.Refused(
                $"{_running} traces are under way from {server.Coordinate}, which is all it may have; try again."
            );
        }

        _running++;
        try
        {
            var request = new TraceRequest(from, arguments.To, service, arguments.Timeout);
            return CommandResult.Of(ResultOf(request, arguments.Service, await FollowAsync(request, context.Cancel)));
        }
        finally
        {
            _running--;
        }
    }

    private string? WhyNot(string name, out ServiceId id)
    {
        IReadOnlyList<ServiceSummary> all = server.Counters.Summarise().Services;
        foreach (ServiceSummary service in all)
        {
            if (service.Name == name)
            {
                id = service.Id;
                return service.RoutesItself
                    ? $"{name} says with a function of its own where each of its packets goes, so a packet of "
                        + "another service cannot show its way; without service=, a trace shows the shortest one."
                    : null;
            }
        }

        id = default;
        return $"there is no service '{name}' on {server.Coordinate}; there are "
            + $"{string.Join(", ", all.Select(service => service.Name).Order(StringComparer.Ordinal))}.";
    }

    // How it ended, and what is known of the way.
    private async ValueTask<(string End, TraceReply Reply)> FollowAsync(TraceRequest request, CancellationToken cancel)
    {
        int usual = (2 * Math.Max(0, server.Topology.HopsTo(request.To))) + Spare;
        (string end, TraceReply reply) = await AskAsync(request, Math.Min(MostHops, usual), cancel);
        if (end == TraceEnds.TooLong && usual < MostHops)
        {
            (end, reply) = await AskAsync(request, MostHops, cancel);
        }

        if (end != TraceEnds.NoAnswer)
        {
            return (end, reply);
        }

        TraceReply known = default;
        for (int hops = 1; hops <= MostHops; hops++)
        {
            for (int attempt = 1; ; attempt++)
            {
                cancel.ThrowIfCancellationRequested();
                (end, reply) = await AskAsync(request, hops, cancel);
                if (end != TraceEnds.NoAnswer)
                {
                    break;
                }

                if (attempt == Attempts)
                {
                    return (end, known);
                }
            }

            if (end != TraceEnds.TooLong)
            {
                return (end, reply);
            }

            known = reply;
        }

        return (TraceEnds.TooLong, known);
    }

    private async ValueTask<(string End, TraceReply Reply)> AskAsync(
        TraceRequest request,
        int most,
        CancellationToken cancel
    )
    {
        if (
            !_asked.TryAsk(out Replies<TraceReply>? asked)
            || !server.Packets.TryRent(TraceCodec.LengthOf(most), out Packet? packet)
        )
        {
            asked?.Dispose();
            return (TraceEnds.NoBuffer, default);
        }

        using Replies<TraceReply> question = asked;
        packet.WritableBody().Clear();
        packet.Header<DiagnosticsHeader>() = new DiagnosticsHeader
        {
            Kind = DiagnosticsKind.Trace,
            Question = question.Id,
            SentNanos = server.NowNanos,
        };
        bool isHere = request.From == server.Coordinate;
        var head = new TraceHead(isHere, 0, most, request.Service, request.To);
        if (!isHere)
        {
            TraceCodec.Write(head, packet.WritableBody());
        }
        else if (!_relay.Write(head, Link.Local, packet))
        {
            // It ends where it began: nothing is sent.
            TraceHop[] own = TraceCodec.ReadAnswer(packet.Body, server.Shape)!;
            server.Packets.Release(packet);
            return (TraceEnds.Of(own[^1].Verdict), new TraceReply(own, 0));
        }

        SendResult sent = server.Send(packet, isHere ? request.To : request.From);
        if (sent != SendResult.Accepted)
        {
            return (sent == SendResult.NoRoute ? TraceEnds.NoRoute : TraceEnds.NoBuffer, default);
        }

        WaitResult end = await question.WaitAsync(1, request.Timeout, cancel);
        return end == WaitResult.Enough
            ? (TraceEnds.Of(question[0].Hops[^1].Verdict), question[0])
            : (TraceEnds.NoAnswer, default);
    }

    private TraceResult ResultOf(TraceRequest request, string? service, (string End, TraceReply Reply) found)
    {
        TraceHop[] hops = found.Reply.Hops ?? [];
        return new TraceResult(
            $"{request.From}",
            $"{request.To}",
            $"{server.Coordinate}",
            service,
            found.End,
            found.End == TraceEnds.NoAnswer || hops.Length == 0 ? null : found.Reply.RoundTripNanos / 1_000.0,
            [
                .. hops.Select(
                    (hop, i) =>
                        new TraceResultHop(
                            hop.Rank,
                            $"{server.Shape.At(hop.Rank)}",
                            hop.ArrivedOn == Link.Local ? null : hop.ArrivedOn.Name(),
                            i + 1 < hops.Length ? hops[i + 1].ArrivedOn.Opposite().Name() : null,
                            [.. LinksOf(hop)],
                            hop.Nanos,
                            hop.Queued,
                            TraceEnds.NameOf(hop.Verdict),
                            service is null ? null : !hop.IsMissing
                        )
                ),
            ]
        );
    }

    private static IEnumerable<string> LinksOf(TraceHop hop)
    {
        foreach (Link link in hop.Links)
        {
            yield return link.Name();
        }
    }
}
