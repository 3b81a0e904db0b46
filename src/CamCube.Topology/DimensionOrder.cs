namespace CamCube.Topology;

/// <summary>
/// Ways that correct one axis after the other, the e-cube routing of the literature: all packets between two servers
/// take the same way, and for each order of the axes there is another one. For services that route themselves by
/// <c>Verdict.Via</c>. Pure functions; any thread.
/// </summary>
public static class DimensionOrder
{
    /// <summary>The links that begin such a way: both directions to the antipode of an even axis, both cables of an
    /// axis of size 2 that has two. <see cref="Link.Local"/> if both are one server.</summary>
    /// <param name="shape">The cube; both servers lie in it.</param>
    /// <param name="here">Where the packet is.</param>
    /// <param name="to">Where it goes.</param>
    /// <param name="axes">Order in which the axes are corrected: 0, 1, 2 for x, y, z, each once.</param>
    /// <exception cref="ArgumentException">Not each axis once.</exception>
    public static LinkSet NextHops(TorusShape shape, Coordinate here, Coordinate to, ReadOnlySpan<int> axes)
    {
        Check(axes);
        return First(TorusRoutes.For(shape).NextHops(here, to), axes);
    }

    /// <summary>As <see cref="NextHops(TorusShape, Coordinate, Coordinate, ReadOnlySpan{int})"/>, but of links that are
    /// up only: an axis whose links are down is left for later. Empty: no axis that is not corrected yet has a link
    /// that is up; base routing may know a way round.</summary>
    /// <param name="shape">The cube; both servers lie in it.</param>
    /// <param name="here">Where the packet is.</param>
    /// <param name="to">Where it goes.</param>
    /// <param name="axes">Order in which the axes are corrected.</param>
    /// <param name="linksUp">Links of this server that are up (<see cref="ITopologyView.LinksUp"/>).</param>
    /// <exception cref="ArgumentException">Not each axis once.</exception>
    public static LinkSet NextHops(
        TorusShape shape,
        Coordinate here,
        Coordinate to,
        ReadOnlySpan<int> axes,
        LinkSet linksUp
    )
    {
        Check(axes);
        return First(TorusRoutes.For(shape).NextHops(here, to) & (linksUp | Link.Local), axes);
    }

    private static LinkSet First(LinkSet shortest, ReadOnlySpan<int> axes)
    {
        foreach (int axis in axes)
        {
            LinkSet along = shortest & AlongAxis(axis);
            if (!along.IsEmpty)
            {
                return along;
            }
        }

        // Local, or nothing.
        return shortest;
    }

    private static LinkSet AlongAxis(int axis) => (LinkSet)Links.Of(axis, 1) | Links.Of(axis, -1);

    private static void Check(ReadOnlySpan<int> axes)
    {
        int seen = 0;
        foreach (int axis in axes)
        {
            seen |= (uint)axis < 3 ? 1 << axis : 8;
        }

        if (axes.Length != 3 || seen != 7)
        {
            throw new ArgumentException("The order names each of the axes 0, 1 and 2 once.", nameof(axes));
        }
    }
}
