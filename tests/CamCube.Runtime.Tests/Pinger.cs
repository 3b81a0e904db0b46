using FaultPolicy = CamCube.FaultPolicy;

namespace CamCube.Runtime.Tests;

/// <summary>Asks another server, again and again until it answers.</summary>
[CamCubeService(0x0321, "pinger", Header = typeof(Header), OnFault = FaultPolicy.Restart)]
internal sealed class Pinger(IServer server) : CamCubeService
{
    private readonly ReplyTable<int> _questions = new(server);

    public IServer Server => server;

    public async ValueTask<int> AskAsync(int to, int number, int body)
    {
        for (int attempt = 0; attempt < 100; attempt++)
        {
            using Replies<int> question = _questions.Ask();
            if (server.Packets.TryRent(body, out Packet? packet))
            {
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

    public SendResult SendVirtual()
    {
        Assert.True(server.Packets.TryRent(0, out Packet? packet));
        packet.VirtualLength = 1;
        return server.Send(packet, server.Shape.At(1));
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref Header header = ref packet.Header<Header>();
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

    private readonly record struct Header(ulong Id, int Number, int IsAnswer);
}
