namespace CamCube.Topology;

/// <summary>
/// A multicast tree as its joins make it (SIGCOMM §3.2): each join goes hop by hop towards the root and stops at the
/// first server that is in the tree already; data go the same links backwards. Not for the packet path: there each
/// server knows its own <see cref="Children"/> only. Two bytes per server. One thread at a time.
/// </summary>
public sealed class OutTree
{
    private readonly byte[] _children;
    private readonly bool[] _contains;
    private readonly List<Link> _way = [];

    /// <summary>A tree of nothing but its root.</summary>
    public OutTree(TorusShape shape, Coordinate root)
    {
        (Shape, Root) = (shape, root);
        _children = new byte[shape.Count];
        _contains = new bool[shape.Count];
        _contains[shape.RankOf(root)] = true;
    }

    /// <summary>The shape.</summary>
    public TorusShape Shape { get; }

    /// <summary>Where data come from.</summary>
    public Coordinate Root { get; }

    /// <summary>Links in the tree: what one packet to all members costs.</summary>
    public int LinkCount { get; private set; }

    /// <summary>Whether the server is the root, a member, or on the way to one.</summary>
    public bool Contains(Coordinate server) => _contains[Shape.RankOf(server)];

    /// <summary>The links on which a server passes a packet on.</summary>
    public LinkSet Children(Coordinate server) => new(_children[Shape.RankOf(server)]);

    /// <summary>Adds a member. Takes one step per link that is added, and answers their number.</summary>
    /// <param name="member">A server; nothing changes if it is in the tree.</param>
    /// <param name="nextHop">The link on which a server sends towards the root.</param>
    /// <exception cref="InvalidOperationException">
    /// The way does not lead to the tree, which is as before.
    /// </exception>
    public int Join(Coordinate member, Func<Coordinate, Link> nextHop)
    {
        _way.Clear();
        Coordinate at = member;
        while (!Contains(at))
        {
            Link link = nextHop(at);
            if (link == Link.Local || _way.Count >= Shape.Count)
            {
                throw new InvalidOperationException($"The way of {member} to {Root} ends or goes round at {at}.");
            }

            _way.Add(link);
            at = Shape.Step(at, link);
        }

        at = member;
        foreach (Link link in _way)
        {
            _contains[Shape.RankOf(at)] = true;
            at = Shape.Step(at, link);
            _children[Shape.RankOf(at)] |= ((LinkSet)link.Opposite()).Bits;
        }

        LinkCount += _way.Count;
        return _way.Count;
    }
}
