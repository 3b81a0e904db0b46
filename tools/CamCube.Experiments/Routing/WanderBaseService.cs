namespace CamCube.Experiments.Routing;

/// <summary>Packets that go to one destination after the other by base routing: the baseline of SIGCOMM Fig.
/// 6.</summary>
[CamCubeService(0x7104, "wander-base")]
internal sealed class WanderBaseService(IServer server, WanderOptions options) : CamCubeService
{
    private readonly WanderTour _tour = new(server, options);

    public override void OnStart() => _tour.Start(packet => server.Send(packet, _tour.Next()));

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (hop.IsDestination)
        {
            packet.Destination = _tour.Next();
            packet.HopLimit = ushort.MaxValue;
        }

        return Verdict.Forward;
    }
}
