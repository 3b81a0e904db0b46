using System.Collections.Concurrent;

namespace CamCube.Topology;

/// <summary>
/// Paths between two servers that share no link, so that one connection fills several links (SIGCOMM §3.1): one path
/// per source link; a detour starts on an axis that needs no step, and makes two hops more. A server on the way needs
/// to know nothing but the link on which the packet arrived. With all three axes of size 3 or more there are at least
/// three: three if all axes differ, four if two do, five if one does. Coordinates must lie in the shape. Immutable; any
/// thread; nothing allocates but <see cref="Paths"/>.
/// </summary>
public sealed class DisjointPaths
{
    private static readonly ConcurrentDictionary<TorusShape, DisjointPaths> Cache = new();
    private readonly TorusRoutes _routes;

    private DisjointPaths(TorusShape shape) => _routes = TorusRoutes.For(shape);

    /// <summary>The shape, with its cabling.</summary>
    public TorusShape Shape => _routes.Shape;

    /// <summary>The paths of a shape: one object per shape and process.</summary>
    public static DisjointPaths For(TorusShape shape) =>
        Cache.TryGetValue(shape, out DisjointPaths? found)
            ? found
            : Cache.GetOrAdd(shape, static s => new DisjointPaths(s));

    /// <summary>
    /// The links on which packets may leave the source: per axis one that brings the destination nearer (not both to
    /// the antipode, where the two ways round would meet on the last link), or both if the axis needs no step (not both
    /// of an axis of size 2, which lead to one server). Empty if both are one server. Constant time.
    /// </summary>
    /// <param name="from">The source.</param>
    /// <param name="to">The destination.</param>
    public LinkSet SourceLinks(Coordinate from, Coordinate to)
    {
        if (from == to)
        {
            return LinkSet.None;
        }

        LinkSet nearer = _routes.NextHops(from, to),
            cabled = Shape.CabledLinks(from),
            links = LinkSet.None;
        for (int axis = 0; axis < 3; axis++)
        {
            LinkSet towards = nearer & Axis(axis),
                away = cabled & Axis(axis);
            if (!towards.IsEmpty)
            {
                links |= towards.First;
            }
            else if (!away.IsEmpty)
            {
                links |= Shape[axis] > 2 ? away : away.First;
            }
        }

        return links;
    }

    /// <summary>
    /// The next link of a packet: the first that brings the destination nearer, in cyclic order of axes from the one on
    /// which it arrived, straight on if that is possible, never back. The cyclic order keeps the paths apart: in a
    /// fixed order of axes those from 0,0,0 to 1,1,1 share a link. Constant time.
    /// </summary>
    /// <param name="at">The server where the packet is; not its source, which has <see cref="SourceLinks"/>.</param>
    /// <param name="to">The destination.</param>
    /// <param name="arrivedOn">
    /// The link it came in by, as this server names it; it leads back. After <see cref="Link.Local"/> any link will do.
    /// </param>
    /// <param name="usable">Links that may be taken; others are passed over.</param>
    /// <returns>
    /// <see cref="Link.Local"/> at the destination; empty if no link fits: then base routing must help.
    /// </returns>
    public LinkSet NextHop(Coordinate at, Coordinate to, Link arrivedOn, LinkSet usable)
    {
        if (at == to)
        {
            return Link.Local;
        }

        LinkSet nearer = _routes.NextHops(at, to) & usable;
        if (arrivedOn == Link.Local)
        {
            return nearer.IsEmpty ? nearer : nearer.First;
        }

        Coordinate from = Shape.Step(at, arrivedOn);
        for (int i = 0; i < 3; i++)
        {
            int axis = (arrivedOn.Axis() + i) % 3;
            LinkSet links = nearer & Axis(axis);
            if (i == 0)
            {
                if (links.Contains(arrivedOn.Opposite()) && Shape.Step(at, arrivedOn.Opposite()) != from)
                {
                    return arrivedOn.Opposite();
                }

                // Back is all that is left on this axis, by this cable or by the other one of an axis of size 2.
                continue;
            }

            if (!links.IsEmpty)
            {
                return links.First;
            }
        }

        return LinkSet.None;
    }

    /// <summary>The same with all cables usable.</summary>
    public LinkSet NextHop(Coordinate at, Coordinate to, Link arrivedOn) =>
        NextHop(at, to, arrivedOn, LinkSet.AllCables);

    /// <summary>
    /// The whole paths while nothing failed, one per source link in order of links, each with source and destination.
    /// Takes one step per hop.
    /// </summary>
    public Coordinate[][] Paths(Coordinate from, Coordinate to)
    {
        var paths = new List<Coordinate[]>();
        var path = new List<Coordinate>();
        foreach (Link first in SourceLinks(from, to))
        {
            path.Clear();
            path.Add(from);
            Coordinate at = from;
            for (Link link = first; link != Link.Local; )
            {
                at = Shape.Step(at, link);
                path.Add(at);
                link = NextHop(at, to, link.Opposite()).First;
            }

            paths.Add([.. path]);
        }

        return [.. paths];
    }

    private static LinkSet Axis(int axis) => new((byte)(3 << (2 * axis)));
}
