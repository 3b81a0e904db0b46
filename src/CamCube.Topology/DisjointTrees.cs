using System.Collections.Concurrent;

namespace CamCube.Topology;

/// <summary>
/// Spanning trees of the torus that share a root and no link (NSDI §4.1, HPDC §6.1): as many as a server has cabled
/// links, six in a cube. A tree is named by a link: its one child of the root stands there. Every server but the root
/// sends towards the root on a different link in each tree, so each link that does not leave the root belongs to
/// exactly one tree, and data that is split over the trees uses all links into the root. Reversed (see
/// <see cref="ChildLinks"/>), they are the trees of a multicast. Coordinates must lie in the shape. Immutable; any
/// thread; nothing allocates but <see cref="OutTree"/>.
/// </summary>
/// <remarks>
/// The rule for axes with a plus and a minus link (size above 2, or 2 with parallel cables), relative to the root, for
/// the tree (a, s): while on the root's plane of axis a, one step (a, s); then the other axes home, cyclically after a,
/// each by steps of sign −s; then along a straight to the root by −s. At one server the trees of an axis that is home
/// use that axis's own links, and those of an axis that is not use the links of the next axis that is not: all
/// different.
/// <para>
/// An axis of size 2 with one cable has one link per server, and therefore one tree. Such axes c are added one by one:
/// two copies of the torus H without c, the root in the lower one. The tree of c crosses at once, follows the trees of
/// H to the server above the root, and crosses there. A tree t of H stays in the lower copy; in the upper one it
/// follows its rule until the last server before the root, at the latest, and crosses. Which tree crosses where is
/// fixed, one at each server: t at the server before the root of t, the first tree elsewhere, and the tree of c takes
/// the link which that tree gave up.
/// </para>
/// </remarks>
public sealed class DisjointTrees
{
    private static readonly ConcurrentDictionary<TorusShape, DisjointTrees> Cache = new();
    private readonly int[] _rings;
    private readonly int[] _pairs;

    private DisjointTrees(TorusShape shape)
    {
        Shape = shape;
        _rings = [.. Axes().Where(axis => shape[axis] > 2 || (shape[axis] == 2 && shape.ParallelCables))];
        _pairs = [.. Axes().Where(axis => shape[axis] == 2 && !shape.ParallelCables)];
        foreach (int axis in _rings)
        {
            Trees |= Links.Of(axis, 1) | (LinkSet)Links.Of(axis, -1);
        }

        foreach (int axis in _pairs)
        {
            Trees |= Links.Of(axis, 1);
        }
    }

    /// <summary>The shape, with its cabling.</summary>
    public TorusShape Shape { get; }

    /// <summary>
    /// The trees, by name: both links of an axis, or only the plus link of an axis of size 2 with one cable; none of an
    /// axis of size 1.
    /// </summary>
    public LinkSet Trees { get; }

    /// <summary>The trees of a shape: one object per shape and process.</summary>
    public static DisjointTrees For(TorusShape shape) =>
        Cache.TryGetValue(shape, out DisjointTrees? found)
            ? found
            : Cache.GetOrAdd(shape, static s => new DisjointTrees(s));

    /// <summary>
    /// The link on which a server sends towards the root; <see cref="Link.Local"/> at the root. Constant time.
    /// </summary>
    /// <param name="tree">One of <see cref="Trees"/>.</param>
    /// <param name="root">The root of the tree.</param>
    /// <param name="server">Any server.</param>
    public Link ParentLink(Link tree, Coordinate root, Coordinate server)
    {
        Check(tree);
        return server == root ? Link.Local : Direction(_pairs.Length, tree, root, server);
    }

    /// <summary>
    /// The server that <see cref="ParentLink"/> leads to; the root itself at the root. Constant time.
    /// </summary>
    public Coordinate Parent(Link tree, Coordinate root, Coordinate server) =>
        Shape.Step(server, ParentLink(tree, root, server));

    /// <summary>
    /// The links that lead to a server's children: where a packet that comes from the root goes on, in the tree
    /// reversed. One at the root, at most three elsewhere, four if the shape has axes of size 2 with one cable.
    /// Constant time.
    /// </summary>
    public LinkSet ChildLinks(Link tree, Coordinate root, Coordinate server)
    {
        Check(tree);
        LinkSet children = LinkSet.None;
        foreach (Link link in Shape.CabledLinks(server))
        {
            Coordinate child = Shape.Step(server, link);
            if (child != root && Direction(_pairs.Length, tree, root, child) == link.Opposite())
            {
                children |= link;
            }
        }

        return children;
    }

    /// <summary>Hops from a server to the root within the tree. Takes as many steps.</summary>
    public int Depth(Link tree, Coordinate root, Coordinate server)
    {
        int depth = 0;
        for (; server != root; depth++)
        {
            server = Parent(tree, root, server);
        }

        return depth;
    }

    /// <summary>
    /// The tree reversed and pruned: only the links that lead from the root to members. Takes at most one step per link
    /// of the result.
    /// </summary>
    /// <param name="tree">One of <see cref="Trees"/>.</param>
    /// <param name="root">The root of the tree.</param>
    /// <param name="members">Servers that are to be reached.</param>
    public OutTree OutTree(Link tree, Coordinate root, ReadOnlySpan<Coordinate> members)
    {
        Check(tree);
        var pruned = new OutTree(Shape, root);
        foreach (Coordinate member in members)
        {
            pruned.Join(member, at => Direction(_pairs.Length, tree, root, at));
        }

        return pruned;
    }

    private static IEnumerable<int> Axes() => Enumerable.Range(0, 3);

    private void Check(Link tree)
    {
        if (!Trees.Contains(tree))
        {
            throw new ArgumentException($"{Shape} has the trees {Trees}, not {tree.Name()}.", nameof(tree));
        }
    }

    private int Relative(int axis, Coordinate root, Coordinate server)
    {
        int difference = server[axis] - root[axis];
        return difference < 0 ? difference + Shape[axis] : difference;
    }

    // Within the torus of all rings and the first so many pairs, in which the server is not the root.
    private Link Direction(int pairs, Link tree, Coordinate root, Coordinate server)
    {
        if (pairs == 0)
        {
            return RingDirection(tree, root, server);
        }

        int axis = _pairs[pairs - 1];
        bool own = tree.Axis() == axis;
        if (server[axis] == root[axis])
        {
            return own ? Cross(axis, server) : Direction(pairs - 1, tree, root, server);
        }

        if (IsAboveRoot(pairs - 1, root, server))
        {
            return own ? Cross(axis, server) : RootLink(tree, server);
        }

        Link crossing = CrossingTree(pairs - 1, root, server);
        return tree == crossing ? Cross(axis, server) : Direction(pairs - 1, own ? crossing : tree, root, server);
    }

    private Link RingDirection(Link tree, Coordinate root, Coordinate server)
    {
        int place = Array.IndexOf(_rings, tree.Axis());
        if (server[tree.Axis()] == root[tree.Axis()])
        {
            return tree;
        }

        for (int i = 1; i < _rings.Length; i++)
        {
            int axis = _rings[(place + i) % _rings.Length];
            if (server[axis] != root[axis])
            {
                return Links.Of(axis, -tree.Sign());
            }
        }

        return tree.Opposite();
    }

    // The only cable of an axis of size 2 is the plus link of 0 and the minus link of 1.
    private static Link Cross(int axis, Coordinate server) => Links.Of(axis, server[axis] == 0 ? 1 : -1);

    private Link RootLink(Link tree, Coordinate server) =>
        Array.IndexOf(_pairs, tree.Axis()) < 0 ? tree : Cross(tree.Axis(), server);

    private bool IsAboveRoot(int pairs, Coordinate root, Coordinate server)
    {
        foreach (int axis in _rings)
        {
            if (server[axis] != root[axis])
            {
                return false;
            }
        }

        for (int i = 0; i < pairs; i++)
        {
            if (server[_pairs[i]] != root[_pairs[i]])
            {
                return false;
            }
        }

        return true;
    }

    // The tree whose last server before the root this is, or else the first tree.
    private Link CrossingTree(int pairs, Coordinate root, Coordinate server)
    {
        Link first = Links.Of(_rings.Length > 0 ? _rings[0] : _pairs[0], 1),
            found = first;
        int away = 0;
        foreach (int axis in _rings)
        {
            int relative = Relative(axis, root, server);
            if (relative != 0)
            {
                away += relative == 1 || relative == Shape[axis] - 1 ? 1 : 2;
                found = Links.Of(axis, relative == 1 ? 1 : -1);
            }
        }

        for (int i = 0; i < pairs; i++)
        {
            if (server[_pairs[i]] != root[_pairs[i]])
            {
                away++;
                found = Links.Of(_pairs[i], 1);
            }
        }

        return away == 1 ? found : first;
    }
}
