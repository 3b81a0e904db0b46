using CamCube.Topology;

namespace CamCube.Services.Workloads.Routing;

/// <summary>Link-disjoint paths (SIGCOMM §3.1) as F of extended routing.</summary>
[CamCubeService(0x0120, "link-disjoint")]
public sealed class LinkDisjointService : ExtendedService, ITransfer
{
    private readonly DisjointPaths _paths;
    private readonly TransferPump _pump;

    /// <summary>A service for one server.</summary>
    public LinkDisjointService(IServer server)
        : base(server)
    {
        _paths = DisjointPaths.For(server.Shape);
        _pump = new TransferPump(server, (packet, to) => Route(packet, to));
    }

    /// <inheritdoc/>
    public long ReceivedBytes { get; private set; }

    /// <inheritdoc/>
    public void Begin(Coordinate to) => _pump.Begin(to);

    /// <inheritdoc/>
    public void End() => _pump.End();

    /// <inheritdoc/>
    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        Coordinate to = at.Destination.Server;
        LinkSet links = at.IsOrigin
            ? _paths.SourceLinks(at.Vertex, to) & at.LinksUp
            : _paths.NextHop(at.Vertex, to, at.Back, at.LinksUp) - Link.Local;
        at.AddNeighbours(links, ref keys);
    }

    /// <inheritdoc/>
    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        ReceivedBytes += packet.VirtualLength;
        return Verdict.Consume;
    }
}
