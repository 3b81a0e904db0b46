namespace CamCube.Experiments.Routing;

/// <summary>Packets that go on over any of some links, by verdict: what any-of costs without F.</summary>
[CamCubeService(0x7105, "wander-native")]
internal sealed class WanderNativeService(IServer server, WanderOptions options) : CamCubeService
{
    private readonly WanderTour _tour = new(server, options);

    public override void OnStart() =>
        _tour.Start(packet =>
        {
            packet.Destination = _tour.Next();
            server.SendVia(packet, _tour.NextLinks());
        });

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (hop.IsDestination)
        {
            packet.Destination = _tour.Next();
        }

        packet.HopLimit = ushort.MaxValue;
        return Verdict.Via(_tour.NextLinks());
    }
}
