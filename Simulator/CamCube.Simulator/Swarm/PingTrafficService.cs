namespace CamCube.Simulator.Swarm;

/// <summary>One server's part of <see cref="PingTraffic"/>.</summary>
[CamCubeService(0x01E1, "swarm-pings", Header = typeof(PingPacketHeader))]
internal sealed class PingTrafficService(IServer server, PingTraffic traffic)
    : RandomSender(server, "pings", traffic.PingsPerSecond)
{
    private readonly PingTraffic.Part _part = traffic.PartOf(server.Shape.RankOf(server.Coordinate));

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        ref PingPacketHeader header = ref packet.Header<PingPacketHeader>();
        if (header.IsAnswer == 0)
        {
            header.IsAnswer = 1;
            packet.TurnRound(Server.Coordinate, Server.Packets.DefaultHopLimit);

            // To oneself it goes round by Local: forwarding at the destination would be a mistake.
            return packet.Destination.Server == Server.Coordinate ? Verdict.Via(Link.Local) : Verdict.Forward;
        }

        _part.Ended++;
        long place = header.Number - _part.First;
        if (place >= 0 && place < _part.Questions.Count && !_part.Questions[(int)place].IsAnswered)
        {
            _part.Questions[(int)place] = _part.Questions[(int)place] with { IsAnswered = true };
            _part.Answered++;
        }

        return Verdict.Consume;
    }

    protected override void SendOne()
    {
        Coordinate to = Server.Shape.At(Random.Next(Server.Shape.Count));
        if (traffic.IsOn && Server.Packets.TryRent(0, out Packet? packet))
        {
            packet.Header<PingPacketHeader>().Number = _part.Asked++;
            SendResult result = Server.Send(packet, to);
            _part.Questions.Add(
                new PingTraffic.Question(
                    TrueNanos,
                    Rank,
                    Server.Shape.RankOf(to),
                    result != SendResult.NoRoute,
                    IsAnswered: false
                )
            );
        }
    }
}
