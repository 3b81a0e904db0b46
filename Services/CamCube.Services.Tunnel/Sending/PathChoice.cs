using CamCube.Services.Tunnel.Wire;
using CamCube.Topology;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// The paths between servers (SIGCOMM §3.1): link-disjoint ones, and in rings and flat cubes also those the other way
/// round, which leave an axis's nearer side alone until all other axes are done. A server on the way needs to know the
/// first link, the flag, and the link on which the packet arrived. Loop only; allocates nothing.
/// </summary>
internal sealed class PathChoice(IServer server, TunnelPaths paths)
{
    private readonly DisjointPaths _disjoint = DisjointPaths.For(server.Shape);
    private readonly bool _isFlat = Enumerable.Range(0, 3).Count(axis => server.Shape[axis] > 1) < 3;

    /// <summary>The first links of the paths to a server that are whole as far as is known, and those of them that go
    /// the other way round. If no path is whole, whatever base routing has.</summary>
    public (LinkSet Links, LinkSet WayRound) Find(Coordinate to)
    {
        LinkSet found = LinkSet.None,
            round = LinkSet.None,
            disjoint = _disjoint.SourceLinks(server.Coordinate, to);
        foreach (Link first in disjoint)
        {
            found |= IsWhole(to, first, wayRound: false) ? first : LinkSet.None;
        }

        if (paths == TunnelPaths.All && _isFlat)
        {
            foreach (Link first in server.Shape.CabledLinks(server.Coordinate) - disjoint)
            {
                if (MayGoRound(to, first) && IsWhole(to, first, wayRound: true))
                {
                    (found, round) = (found | first, round | first);
                }
            }
        }

        return found.IsEmpty ? (server.Topology.NextHops(to), LinkSet.None)
            : paths == TunnelPaths.One ? (found.First, round & found.First)
            : (found, round);
    }

    /// <summary>The next link of a packet that is not at its destination; empty: its path is broken.</summary>
    /// <param name="at">Where it is.</param>
    /// <param name="to">Its destination.</param>
    /// <param name="arrivedOn">How it came.</param>
    /// <param name="first">Its first link.</param>
    /// <param name="wayRound">Whether it goes the other way round.</param>
    /// <param name="usable">Links that work.</param>
    public LinkSet Next(Coordinate at, Coordinate to, Link arrivedOn, Link first, bool wayRound, LinkSet usable)
    {
        if (!wayRound)
        {
            return _disjoint.NextHop(at, to, arrivedOn, usable);
        }

        int own = first.Axis();
        for (int i = 1; i < 3; i++)
        {
            int axis = (own + i) % 3;
            if (at[axis] != to[axis])
            {
                LinkSet nearer = _disjoint.NextHop(at, at.With(axis, to[axis]), Link.Local);
                return usable & nearer;
            }
        }

        return usable & first;
    }

    private bool MayGoRound(Coordinate to, Link first)
    {
        int axis = first.Axis();
        return server.Coordinate[axis] != to[axis]
            && (server.Shape[axis] > 2 || server.Coordinate.With(axis, to[axis]) == to);
    }

    private bool IsWhole(Coordinate to, Link first, bool wayRound)
    {
        Coordinate at = server.Coordinate;
        Link link = first;
        for (int hops = 0; hops < TorusShape.MaxServers; hops++)
        {
            if (!server.Topology.LiveLinks(at).Contains(link))
            {
                return false;
            }

            at = server.Shape.Step(at, link);
            if (at == to)
            {
                return true;
            }

            LinkSet next = Next(at, to, link.Opposite(), first, wayRound, LinkSet.AllCables);
            if (next.IsEmpty)
            {
                return false;
            }

            link = next.First;
        }

        return false;
    }
}
