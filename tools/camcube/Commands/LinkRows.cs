using CamCube.Administration.Answers;

namespace CamCube.Tool.Commands;

/// <summary>What <c>camcube links</c> shows, a row a link.</summary>
internal static class LinkRows
{
    /// <summary>The links of a host's servers. While its own server waits for a place: what is known of that one's
    /// ports.</summary>
    /// <param name="status">The host.</param>
    /// <param name="only">Rank of the server whose links are wanted; below 0: all.</param>
    /// <param name="cabling">What the host knows of cables; null where they are simulated.</param>
    public static IEnumerable<LinkRow> Of(StatusAnswer status, int only, CablingAnswer? cabling)
    {
        IEnumerable<LinkRow> rows =
            status.Servers.Count == 0 && cabling is { Own: { } own }
                ? Waiting(own, cabling)
                : Placed(status, cabling?.Own);
        return rows.Where(row => only < 0 || row.Rank == only);
    }

    private static IEnumerable<LinkRow> Placed(StatusAnswer status, CablingServerAnswer? own)
    {
        TorusShape shape = status.Torus;
        var cables = new Dictionary<(int, string), string>();
        foreach (CableAnswer cable in status.Cables)
        {
            cables[(cable.Rank, cable.Link)] = cable.State;
            if (Links.TryParse(cable.Link, out Link link))
            {
                cables[(cable.NeighbourRank, link.Opposite().Name())] = cable.State;
            }
        }

        foreach (ServerAnswer server in status.Servers)
        {
            foreach (LinkAnswer link in LinksOf(server, shape))
            {
                yield return new LinkRow(
                    server.Rank,
                    server.Coordinate,
                    link.Link,
                    link.NeighbourRank,
                    link.Neighbour,
                    link.State,
                    cables.GetValueOrDefault((server.Rank, link.Link), "unknown"),
                    link.SentPackets,
                    link.SentBytes,
                    link.ReceivedPackets,
                    link.ReceivedBytes,
                    ForeignOn(own, server, link.Link)
                );
            }
        }
    }

    /// <summary>Its links carry nothing yet, but it hears who is at the other ends. (The places that the answer gives
    /// to peers may still change while these have none.)</summary>
    private static IEnumerable<LinkRow> Waiting(CablingServerAnswer own, CablingAnswer cabling)
    {
        foreach (CablingPortAnswer port in own.Ports)
        {
            if (port.Link is { } link)
            {
                bool hears = port.Heard == "server";
                string? peer = hears ? port.PeerServerId : null;
                string? place = cabling.Servers.FirstOrDefault(server => server.ServerId == peer)?.Coordinate;
                yield return new LinkRow(
                    RankOf(own.Coordinate, cabling.Torus),
                    own.Coordinate ?? own.ServerId,
                    link,
                    RankOf(place, cabling.Torus),
                    place ?? peer,
                    hears ? "up" : "down",
                    hears && port.Mutual ? "up" : "down",
                    0,
                    0,
                    0,
                    0,
                    port.Foreign
                );
            }
        }
    }

    private static int? RankOf(string? coordinate, TorusShape shape) =>
        Coordinate.TryParse(coordinate, out Coordinate place) && shape.Contains(place) ? shape.RankOf(place) : null;

    /// <summary>A stopped server says nothing of its links; the plan does.</summary>
    private static IEnumerable<LinkAnswer> LinksOf(ServerAnswer server, TorusShape shape)
    {
        if (server.Links.Count > 0)
        {
            return server.Links;
        }

        var planned = new List<LinkAnswer>();
        Coordinate at = shape.At(server.Rank);
        foreach (Link link in shape.CabledLinks(at))
        {
            Coordinate neighbour = shape.Step(at, link);
            planned.Add(new LinkAnswer(link.Name(), neighbour.ToString(), shape.RankOf(neighbour), "down", 0, 0, 0, 0));
        }

        return planned;
    }

    private static ForeignAnswer? ForeignOn(CablingServerAnswer? own, ServerAnswer server, string link) =>
        own is not null && own.Coordinate == server.Coordinate
            ? own.Ports.FirstOrDefault(port => port.Link == link)?.Foreign
            : null;
}
