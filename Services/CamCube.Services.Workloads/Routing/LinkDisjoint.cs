using CamCube.Topology;

namespace CamCube.Services.Workloads.Routing;

/// <summary>Link-disjoint paths (SIGCOMM §3.1) as verdicts, for services without F.</summary>
public static class LinkDisjoint
{
    /// <summary>What becomes of a packet in between: it keeps to the path that it is on. Where its next link is down,
    /// base routing goes on.</summary>
    /// <param name="paths">The paths of the cube's shape.</param>
    /// <param name="server">The server that the packet is at.</param>
    /// <param name="hop">Where it came from.</param>
    /// <param name="packet">The packet.</param>
    public static Verdict Onward(DisjointPaths paths, IServer server, in HopContext hop, Packet packet)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(server);
        ArgumentNullException.ThrowIfNull(packet);
        LinkSet next = paths.NextHop(
            server.Coordinate,
            packet.Destination.Server,
            hop.ArrivedOn,
            server.Topology.LinksUp
        );
        return next.IsEmpty ? Verdict.Forward : Verdict.Via(next);
    }
}
