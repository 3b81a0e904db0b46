namespace CamCube.Shim.Switch.Tests;

/// <summary>Asks servers, or roots of keys, how many hops its packets make and by which links they come; and sends to
/// neighbours by links that it chooses.</summary>
[CamCubeService(0x0321, "walker", Header = typeof(Header))]
internal sealed class Walker(IServer server) : CamCubeService
{
    private readonly ReplyTable<int> _questions = new(server);

    /// <summary>The hops of a question, or -1: nobody answered.</summary>
    public async ValueTask<int> HopsAsync(Destination to)
    {
        for (int attempt = 0; attempt < 100; attempt++)
        {
            using Replies<int> question = _questions.Ask();
            if (server.Packets.TryRent(1_000, out Packet? packet))
            {
                packet.Header<Header>() = new Header(question.Id, 0, packet.HopLimit);
                server.Send(packet, to);
                if (await question.WaitAsync(1, TimeSpan.FromMilliseconds(500)) != WaitResult.TimedOut)
                {
                    return question.Count > 0 ? question[0] : -1;
                }
            }
        }

        return -1;
    }

    /// <summary>By a link of this server's choice to a server that is not there: the neighbour answers all the
    /// same.</summary>
    public async ValueTask<int> NeighbourAsync(Link link, Coordinate beyond)
    {
        using Replies<int> question = _questions.Ask();
        if (server.Packets.TryRent(0, out Packet? packet))
        {
            packet.Destination = beyond;
            packet.Header<Header>() = new Header(question.Id, 1, packet.HopLimit);
            server.SendVia(packet, link);
        }

        return await question.WaitAsync(1, TimeSpan.FromSeconds(5)) == WaitResult.Enough ? question[0] : -1;
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref Header header = ref packet.Header<Header>();
        if (header.Kind == 2)
        {
            _questions.TryAdd(header.Id, header.Value);
            return Verdict.Consume;
        }

        if (header.Kind == 0 && !hop.IsDestination)
        {
            return Verdict.Forward;
        }

        int answer = header.Kind == 0 ? header.Value - packet.HopLimit : server.Shape.RankOf(server.Coordinate);
        header = header with { Kind = 2, Value = answer };
        packet.TurnRound(server.Coordinate, 5);
        server.Packets.Take(packet);
        server.Send(packet, packet.Destination);
        return Verdict.Taken;
    }

    private readonly record struct Header(ulong Id, int Kind, int Value);
}
