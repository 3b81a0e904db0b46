namespace CamCube.Experiments.Transfers;

/// <summary>By base routing: at every server, the source included, the first free link of all shortest paths.</summary>
[CamCubeService(0x7101, "base-transfer", Header = typeof(TransferHeader))]
public sealed class BaseTransferService(IServer server) : TransferService(server)
{
    /// <inheritdoc/>
    protected override LinkSet LinksOf(Coordinate to) => Server.Topology.NextHops(to);

    /// <inheritdoc/>
    protected override Verdict Onward(in HopContext hop, Packet packet) => Verdict.Forward;
}
