namespace CamCube.Cabling.Tests;

/// <summary>The reports that the servers of a net would give, without running it.</summary>
internal static class NetReports
{
    public static IReadOnlyList<ServerReport> Of(CablingNet net) =>
        [
            .. net
                .Members.OrderBy(s => s.Id)
                .Select(s => new ServerReport
                {
                    Server = s.Id,
                    Nonce = 1,
                    BootMillis = 0,
                    Coordinate = null,
                    IsFixed = false,
                    IsRefusing = false,
                    Map = null,
                    Ports = [.. s.Ports.Select(p => Of(net, s, p))],
                }),
        ];

    private static PortReport Of(CablingNet net, NetServer server, Cables.CablePort port)
    {
        if (!server.Cables.TryGetValue(port.Number, out NetCable? cable))
        {
            return new PortReport(
                port.Name,
                port.Link,
                true,
                1_514,
                false,
                CablingHeard.Nothing,
                false,
                default,
                default,
                "",
                ""
            );
        }

        (NetServer peer, int peerPort) = cable.From(server, port.Number);
        CablingHeard heard =
            peer == server ? CablingHeard.Itself
            : net.Members.Contains(peer) ? CablingHeard.Server
            : CablingHeard.OtherCluster;
        return new PortReport(
            port.Name,
            port.Link,
            true,
            1_514,
            false,
            heard,
            true,
            peer.Id,
            peer.Ports[peerPort].Link!.Value,
            peer.Ports[peerPort].Name,
            ""
        );
    }
}
