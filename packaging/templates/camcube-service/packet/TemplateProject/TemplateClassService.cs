using System.ComponentModel;
using CamCube;

namespace TemplateSpace;

/// <summary>Sends packets to other servers and back, and counts their hops.</summary>
//#if (isWrongId)
#error The service's id is 0x7fff; it must be 0x0100 to 0xffff, written with four digits. Lower ones are CamCube's.
//#endif
[CamCubeService(0x7fff, "template-service", Header = typeof(TemplateClassHeader))]
public sealed class TemplateClassService(IServer server, TemplateClassOptions options)
    : CamCubeService,
        IServiceCommands
{
    private readonly ReplyTable<int> _questions = new(server);
    private readonly Counter _passed = server.Counters.Create("passed", "{packet}");

    /// <summary>Questions of this server that are open now.</summary>
    public int OpenQuestions => _questions.Open;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [ServiceCommand.Of<PingArguments, CommandResult>("ping", "Sends a packet to a server and back.", PingAsync)];

    /// <summary>Sends a packet with a question on its way; the answer comes to <see cref="OnPacket"/> here.</summary>
    public SendResult Send(Coordinate to, ulong question)
    {
        if (!server.Packets.TryRent(0, out Packet? packet))
        {
            return SendResult.QueueFull;
        }

        packet.Header<TemplateClassHeader>() = new TemplateClassHeader { Question = question };
        return server.Send(packet, to);
    }

    /// <summary>Called at every hop: what is returned says where the packet goes. It must not block or
    /// allocate.</summary>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref TemplateClassHeader header = ref packet.Header<TemplateClassHeader>();
        if (hop.ArrivedOn != Link.Local)
        {
            header.Hops++;
        }

        if (!hop.IsDestination)
        {
            _passed.Add();
            return Verdict.Forward;
        }

        if (header.IsAnswer == 0)
        {
            header.IsAnswer = 1;
            packet.TurnRound(server.Coordinate, server.Packets.DefaultHopLimit);
            return Verdict.Forward;
        }

        return _questions.TryAdd(header.Question, header.Hops) ? Verdict.Consume : Verdict.Drop(DropReason.Stale);
    }

    // Packets can be lost, so it asks again.
    private async ValueTask<CommandResult> PingAsync(PingArguments arguments, CommandContext context)
    {
        long began = server.NowNanos;
        Reply<int> reply = await _questions.AskAsync(
            question => Send(arguments.To, question),
            options.Patience,
            options.Attempts,
            context.Cancel
        );
        double micros = (server.NowNanos - began) / 1e3;
        return reply.IsAnswered
            ? CommandResult.Of(new Pong($"{arguments.To}", reply.Value, reply.Attempts, micros))
            : CommandResult.Refused($"{arguments.To} does not answer.");
    }

    private sealed record PingArguments([Description("the server")] Coordinate To);

    private sealed record Pong(string From, int Hops, int Attempts, double Micros);
}
