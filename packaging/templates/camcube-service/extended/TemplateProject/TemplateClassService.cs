using System.ComponentModel;
using CamCube;

namespace TemplateSpace;

/// <summary>Sends packets to other servers along x, then y, then z, and counts their hops.</summary>
//#if (isWrongId)
#error The service's id is 0x7fff; it must be 0x0100 to 0xffff, written with four digits. Lower ones are CamCube's.
//#endif
[CamCubeService(0x7fff, "template-service", Header = typeof(TemplateClassHeader))]
public sealed class TemplateClassService(IServer server, TemplateClassOptions options)
    : ExtendedService(server),
        IServiceCommands
{
    private readonly ReplyTable<int> _questions = new(server);

    /// <summary>Questions of this server that are open now.</summary>
    public int OpenQuestions => _questions.Open;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [ServiceCommand.Of<PingArguments, CommandResult>("ping", "Sends a packet to a server and back.", PingAsync)];

    /// <summary>Sends a packet with a question on its way; the answer comes to <see cref="OnBasePacket"/> here.</summary>
    public SendResult Send(Coordinate to, ulong question)
    {
        if (!Server.Packets.TryRent(0, out Packet? packet))
        {
            return SendResult.QueueFull;
        }

        packet.Header<TemplateClassHeader>() = new TemplateClassHeader { Question = question };
        return Route(packet, to);
    }

    /// <summary>Where a packet goes next: to a neighbour here, as if nothing had failed; CamCube finds ways round what has.
    /// It may be asked in place of a server that died (<c>at.Vertex</c>), and must not allocate.</summary>
    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        Coordinate end = at.Destination.HomeIn(at.Shape);
        foreach (Link link in at.Shape.CabledLinks(at.Vertex))
        {
            Key next = at.Neighbour(link);
            if (at.Shape.Distance(next.HomeIn(at.Shape), end) < at.Shape.Distance(at.Vertex, end))
            {
                keys.Add(next);
                packet.Header<TemplateClassHeader>().Hops++;
                return;
            }
        }
    }

    /// <inheritdoc/>
    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        packet.TurnRound(Server.Coordinate, Server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    /// <summary>Answers are ordinary packets: this sees them at every hop.</summary>
    protected override Verdict OnBasePacket(in HopContext hop, Packet packet)
    {
        ref TemplateClassHeader header = ref packet.Header<TemplateClassHeader>();
        if (hop.ArrivedOn != Link.Local)
        {
            header.Hops++;
        }

        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        return _questions.TryAdd(header.Question, header.Hops) ? Verdict.Consume : Verdict.Drop(DropReason.Stale);
    }

    // Packets can be lost, so whoever wants an answer asks again.
    private async ValueTask<CommandResult> PingAsync(PingArguments arguments, CommandContext context)
    {
        long began = Server.NowNanos;
        Reply<int> reply = await _questions.AskAsync(
            question => Send(arguments.To, question),
            options.Patience,
            options.Attempts,
            context.Cancel
        );
        double micros = (Server.NowNanos - began) / 1e3;
        return reply.IsAnswered
            ? CommandResult.Of(new Pong($"{arguments.To}", reply.Value, reply.Attempts, micros))
            : CommandResult.Refused($"{arguments.To} does not answer.");
    }

    private sealed record PingArguments([Description("the server")] Coordinate To);

    private sealed record Pong(string From, int Hops, int Attempts, double Micros);
}
