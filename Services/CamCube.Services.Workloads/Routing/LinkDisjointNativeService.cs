using CamCube.Topology;

namespace CamCube.Services.Workloads.Routing;

/// <summary>Link-disjoint paths (SIGCOMM §3.1) as verdicts of its own.</summary>
[CamCubeService(0x0121, "link-disjoint-native")]
public sealed class LinkDisjointNativeService : CamCubeService, ITransfer
{
    private readonly IServer _server;
    private readonly DisjointPaths _paths;
    private readonly TransferPump _pump;

    /// <summary>A service for one server.</summary>
    public LinkDisjointNativeService(IServer server)
    {
        _server = server;
        _paths = DisjointPaths.For(server.Shape);
        _pump = new TransferPump(server, Send);
    }

    /// <inheritdoc/>
    public long ReceivedBytes { get; private set; }

    /// <inheritdoc/>
    public void Begin(Coordinate to) => _pump.Begin(to);

    /// <inheritdoc/>
    public void End() => _pump.End();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (hop.IsDestination)
        {
            ReceivedBytes += packet.VirtualLength;
            return Verdict.Consume;
        }

        return LinkDisjoint.Onward(_paths, _server, hop, packet);
    }

    private void Send(Packet packet, Coordinate to)
    {
        packet.Destination = to;
        LinkSet links = _paths.SourceLinks(_server.Coordinate, to) & _server.Topology.LinksUp;
        if (links.IsEmpty)
        {
            _server.Send(packet, to);
        }
        else
        {
            _server.SendVia(packet, links);
        }
    }
}
