using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Swarm;

/// <summary>One server's part of <see cref="PingTraffic"/>.</summary>
[CamCubeService(0x01E1, "swarm-pings", Header = typeof(PingPacketHeader))]
internal sealed class PingTrafficService : CamCubeService
{
    private readonly IServer _server;
    private readonly PingTraffic _traffic;
    private readonly PingTraffic.Part _part;
    private readonly Random _random;
    private readonly RandomTimer _timer;
    private readonly int _rank;

    public PingTrafficService(IServer server, PingTraffic traffic)
    {
        (_server, _traffic) = (server, traffic);
        _rank = server.Shape.RankOf(server.Coordinate);
        _part = traffic.PartOf(_rank);
        _random = server.Random.Create($"pings {server.Incarnation}");
        _timer = new RandomTimer(server, _random, traffic.PingsPerSecond, AskOne);
    }

    public override void OnStart() => _timer.Start();

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
            packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);

            // To oneself it goes round by Local: forwarding at the destination would be a mistake.
            return packet.Destination.Server == _server.Coordinate ? Verdict.Via(Link.Local) : Verdict.Forward;
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

    private void AskOne()
    {
        Coordinate to = _server.Shape.At(_random.Next(_server.Shape.Count));
        if (_traffic.IsOn && _server.Packets.TryRent(0, out Packet? packet))
        {
            packet.Header<PingPacketHeader>().Number = _part.Asked++;
            SendResult result = _server.Send(packet, to);
            _part.Questions.Add(
                new PingTraffic.Question(
                    ((ServiceView)_server).Runtime.Now,
                    _rank,
                    _server.Shape.RankOf(to),
                    result != SendResult.NoRoute,
                    IsAnswered: false
                )
            );
        }
    }
}
