using CamCube.Services.Workloads.Routing;
using CamCube.Topology;

namespace CamCube.Experiments.Transfers;

/// <summary>By link-disjoint paths, one per link of the source (SIGCOMM §3.1).</summary>
[CamCubeService(0x7102, "disjoint-transfer", Header = typeof(TransferHeader))]
public sealed class DisjointTransferService(IServer server) : TransferService(server)
{
    private readonly DisjointPaths _paths = DisjointPaths.For(server.Shape);

    /// <inheritdoc/>
    protected override LinkSet LinksOf(Coordinate to) => _paths.SourceLinks(Server.Coordinate, to);

    /// <inheritdoc/>
    protected override Verdict Onward(in HopContext hop, Packet packet) =>
        LinkDisjoint.Onward(_paths, Server, hop, packet);
}
