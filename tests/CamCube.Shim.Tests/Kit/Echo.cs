namespace CamCube.Shim.Tests.Kit;

/// <summary>Answers with the number plus one, and asks; bodies of any length.</summary>
[CamCubeService(0x0321, "echo", Header = typeof(Header))]
internal sealed class Echo(IServer server) : CamCubeService
{
    private readonly ReplyTable<int> _questions = new(server);

    public IServer Server => server;

    /// <summary>The answer of a server, or −1 after many attempts without one.</summary>
    public async ValueTask<int> AskAsync(Coordinate to, int number, int body)
    {
        for (int attempt = 0; attempt < 40; attempt++)
        {
            using Replies<int> question = _questions.Ask();
            if (server.Packets.TryRent(body, out Packet? packet))
            {
                packet.Header<Header>() = new Header(question.Id, number, 0);
                server.Send(packet, to);
                if (
                    await question.WaitAsync(1, TimeSpan.FromMilliseconds(500)) != WaitResult.TimedOut
                    && question.Count > 0
                )
                {
                    return question[0];
                }
            }
        }

        return -1;
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref Header header = ref packet.Header<Header>();
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        if (header.IsAnswer != 0)
        {
            _questions.TryAdd(header.Id, header.Number);
            return Verdict.Consume;
        }

        header = header with { Number = header.Number + 1, IsAnswer = 1 };
        packet.TurnRound(server.Coordinate, 5);
        server.Packets.Take(packet);
        server.Send(packet, packet.Destination);
        return Verdict.Taken;
    }

    public readonly record struct Header(ulong Id, int Number, int IsAnswer);
}
