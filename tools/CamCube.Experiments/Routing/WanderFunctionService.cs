namespace CamCube.Experiments.Routing;

/// <summary>Packets that go to any of some neighbours' keys, by F: what SIGCOMM Fig. 6 measures.</summary>
[CamCubeService(0x7106, "wander-function")]
internal sealed class WanderFunctionService : ExtendedService
{
    private readonly WanderTour _tour;

    public WanderFunctionService(IServer server, WanderOptions options)
        : base(server) => _tour = new WanderTour(server, options);

    public override void OnStart() => _tour.Start(packet => Route(packet, _tour.Next()));

    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        packet.HopLimit = ushort.MaxValue;
        at.AddNeighbours(_tour.NextLinks(), ref keys);
    }

    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        Route(packet, _tour.Next());
        return Verdict.Taken;
    }
}
