namespace CamCube.Services.Workloads.Routing;

/// <summary>The same stream by base routing: any shortest path, what the others are compared with.</summary>
[CamCubeService(0x0122, "shortest-path")]
public sealed class ShortestPathService : CamCubeService, ITransfer
{
    private readonly TransferPump _pump;

    /// <summary>A service for one server.</summary>
    public ShortestPathService(IServer server) =>
        _pump = new TransferPump(server, (packet, to) => server.Send(packet, to));

    /// <inheritdoc/>
    public long ReceivedBytes { get; private set; }

    /// <inheritdoc/>
    public void Begin(Coordinate to) => _pump.Begin(to);

    /// <inheritdoc/>
    public void End() => _pump.End();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        ReceivedBytes += packet.VirtualLength;
        return Verdict.Consume;
    }
}
