namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>Asks other servers and answers, with bodies of any length.</summary>
[CamCubeService(0x0321, "pinger", Header = typeof(Header), OnFault = FaultPolicy.Restart)]
internal sealed class Pinger(IServer server) : CamCubeService
{
    private readonly ReplyTable<int> _questions = new(server);

    public int LargestBody => server.Packets.MaxPayload - 16;

    public async ValueTask<int> AskAsync(int to, int number, int body)
    {
        for (int attempt = 0; attempt < 100; attempt++)
        {
            using Replies<int> question = _questions.Ask();
            if (server.Packets.TryRent(body, out Packet? packet))
            {
                packet.WritableBody().Fill((byte)number);
                packet.Header<Header>() = new Header(question.Id, number, 0);
                server.Send(packet, server.Shape.At(to));
                if (await question.WaitAsync(1, TimeSpan.FromMilliseconds(500)) != WaitResult.TimedOut)
                {
                    return question.Count > 0 ? question[0] : -1;
                }
            }
        }

        return -2;
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref Header header = ref packet.Header<Header>();
        if (header.IsAnswer != 0)
        {
            _questions.TryAdd(header.Id, header.Number);
            return Verdict.Consume;
        }

        bool isWhole = packet.Body.IndexOfAnyExcept((byte)header.Number) < 0;
        header = header with { Number = isWhole ? header.Number + 1 : -3, IsAnswer = 1 };
        packet.TurnRound(server.Coordinate, 5);
        server.Packets.Take(packet);
        server.Send(packet, packet.Destination);
        return Verdict.Taken;
    }

    private readonly record struct Header(ulong Id, int Number, int IsAnswer);
}
