using CamCube.Runtime.Observing;
using CamCube.Simulator.Seeing;

namespace CamCube.Simulator.Tests.Seeing;

/// <summary>All sends of a run, sorted at the end.</summary>
internal sealed class SendLog(TorusShape shape)
{
    private readonly Dictionary<int, Sends> _servers = [];

    public IServerObserver ObserverOf(Coordinate server) => _servers[shape.RankOf(server)] = new Sends();

    public (long Time, int Rank, long Number)[] InOrder() =>
        [
            .. _servers
                .SelectMany(server => server.Value.Times.Select((time, i) => (time, server.Key, (long)i + 1)))
                .Order(),
        ];

    private sealed class Sends : PacketObserver
    {
        public List<long> Times { get; } = [];

        public override void Sent(in PacketSummary packet, LinkSet links, long now)
        {
            if (packet.Service.Value != 1)
            {
                Times.Add(now);
            }
        }
    }
}
