using CamCube.Topology;

namespace CamCube.Trees;

/// <summary>
/// The trees of one job: between a root and all servers, or some. A tree leads data from its servers to the root, or
/// reversed from the root to them. A pure function of what <see cref="Create"/> is told, so every server has the same
/// plan; who is dead now does not matter, for a tree's vertices are keys. Immutable; any thread. With all servers as
/// members it keeps nothing; with some, two bytes for each server and tree.
/// </summary>
public sealed class TreePlan
{
    /// <summary>Numbers of a plan of kind <see cref="TreeKind.One"/> below this give different trees.</summary>
    public const int Ways = 48;

    private static readonly int[][] Orders =
    [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    private readonly Link[] _trees;
    private readonly OutTree[]? _pruned;
    private readonly int[] _order;
    private readonly int _signs;

    private TreePlan(TorusShape shape, Coordinate root, TreeKind kind, int number, ReadOnlySpan<Coordinate> members)
    {
        (Shape, Root, Kind) = (shape, root, kind);
        (_order, _signs) = (Orders[number % Orders.Length], number / Orders.Length % (Ways / Orders.Length));
        _trees = kind == TreeKind.Six ? [.. DisjointTrees.For(shape).Trees] : [Link.Local];
        if (!members.IsEmpty)
        {
            _pruned = new OutTree[_trees.Length];
            for (int tree = 0; tree < _trees.Length; tree++)
            {
                _pruned[tree] = Pruned(tree, members);
            }
        }
    }

    /// <summary>The cube.</summary>
    public TorusShape Shape { get; }

    /// <summary>Where all trees begin, or end.</summary>
    public Coordinate Root { get; }

    /// <summary>Which trees they are.</summary>
    public TreeKind Kind { get; }

    /// <summary>How many trees there are: 6 in a cube, 4 in a flat one, 2 in a ring, fewer with axes of size 2 with one
    /// cable; 1 of the other kinds; of <see cref="TreeKind.Six"/> 0 if there is one server only.</summary>
    public int Trees => _trees.Length;

    /// <summary>How many trees a plan has, as <see cref="Trees"/> says.</summary>
    public static int CountOf(TorusShape shape, TreeKind kind) =>
        kind == TreeKind.Six ? DisjointTrees.For(shape).Trees.Count : 1;

    /// <summary>Plans the trees of a job.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="root">Where all trees begin, or end.</param>
    /// <param name="kind">Which trees.</param>
    /// <param name="members">Servers that they have to reach; empty: all. Servers on the way to them are in the trees,
    /// too.</param>
    /// <param name="number">Of <see cref="TreeKind.One"/>: which of the <see cref="Ways"/> to order axes and to break
    /// ties; trees of different numbers share the links evenly.</param>
    /// <exception cref="ArgumentException">A server that the cube does not have, or a number below 0.</exception>
    public static TreePlan Create(
        TorusShape shape,
        Coordinate root,
        TreeKind kind,
        ReadOnlySpan<Coordinate> members = default,
        int number = 0
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        if (!shape.Contains(root))
        {
            throw new ArgumentException($"{root} is none of {shape}.", nameof(root));
        }

        foreach (Coordinate member in members)
        {
            if (!shape.Contains(member))
            {
                throw new ArgumentException($"{member} is none of {shape}.", nameof(members));
            }
        }

        return new TreePlan(shape, root, kind, number, members);
    }

    /// <summary>Whether a tree has a server: the root, a member, or on the way to one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No such tree.</exception>
    public bool Contains(int tree, Coordinate server)
    {
        Check(tree);
        return Shape.Contains(server) && (_pruned is null || _pruned[tree].Contains(server));
    }

    /// <summary>The link of a server that leads to its parent; <see cref="Link.Local"/> at the root.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No such tree.</exception>
    public Link ParentLink(int tree, Coordinate server)
    {
        Check(tree);
        return server == Root
            ? Link.Local
            : Kind switch
            {
                TreeKind.Six => DisjointTrees.For(Shape).ParentLink(_trees[tree], Root, server),
                TreeKind.MiniCube => MiniCubeRoutes.For(Shape).NextHop(server, Root),
                TreeKind.Even => Even(server),
                _ => Ordered(server),
            };
    }

    /// <summary>The parent of a server; the root of the root.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No such tree.</exception>
    public Coordinate Parent(int tree, Coordinate server) => Shape.Step(server, ParentLink(tree, server));

    /// <summary>The links of a server that lead to its children, in the order in which these are merged.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No such tree.</exception>
    public LinkSet Children(int tree, Coordinate server)
    {
        Check(tree);
        if (_pruned is not null)
        {
            return _pruned[tree].Children(server);
        }

        LinkSet children = LinkSet.None;
        foreach (Link link in Shape.CabledLinks(server))
        {
            Coordinate child = Shape.Step(server, link);
            if (child != Root && ParentLink(tree, child) == link.Opposite())
            {
                children |= link;
            }
        }

        return children;
    }

    /// <summary>Hops from a server to the root within a tree.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No such tree.</exception>
    public int Depth(int tree, Coordinate server)
    {
        int depth = 0;
        for (; server != Root; depth++)
        {
            server = Parent(tree, server);
        }

        return depth;
    }

    private OutTree Pruned(int tree, ReadOnlySpan<Coordinate> members)
    {
        var pruned = new OutTree(Shape, Root);
        foreach (Coordinate member in members)
        {
            pruned.Join(member, at => ParentLink(tree, at));
        }

        return pruned;
    }

    // Axis after axis, each the shorter way round; at the antipode by the sign.
    private Link Ordered(Coordinate server)
    {
        int axis = Array.Find(_order, a => server[a] != Root[a]);
        if (Shape[axis] == 2 && !Shape.ParallelCables)
        {
            return Links.Of(axis, server[axis] == 0 ? 1 : -1);
        }

        int ahead = Root[axis] - server[axis];
        ahead += ahead < 0 ? Shape[axis] : 0;
        int sign =
            2 * ahead < Shape[axis] ? 1
            : 2 * ahead > Shape[axis] ? -1
            : (_signs >> axis & 1) == 0 ? 1
            : -1;
        return Links.Of(axis, sign);
    }

    // It hangs on the way to the root only, not on where the root is: so with a root at each server all links of a
    // direction carry the same, and no direction is preferred. The axis on which least is left comes first, so servers
    // are on few and long lines; half a ring goes before all, for there the direction hangs on the other two axes.
    private Link Even(Coordinate server)
    {
        Span<int> ahead = stackalloc int[3];
        (int least, int tied, int backward) = (int.MaxValue, 0, 0);
        for (int axis = 0; axis < ahead.Length; axis++)
        {
            int size = Shape[axis];
            ahead[axis] = (Root[axis] - server[axis] + size) % size;
            int rank = 2 * ahead[axis] == size ? 0 : Math.Min(ahead[axis], size - ahead[axis]);
            backward += 2 * ahead[axis] > size ? 1 : 0;
            if (ahead[axis] > 0 && rank <= least)
            {
                tied = (rank < least ? 0 : tied) | (1 << axis);
                least = rank;
            }
        }

        int first = tied switch
        {
            0b011 => 0,
            0b110 => 1,
            0b101 => 2,
            0b111 => backward % 3,
            _ => int.TrailingZeroCount(tied),
        };
        if (Shape[first] == 2 && !Shape.ParallelCables)
        {
            return Links.Of(first, server[first] == 0 ? 1 : -1);
        }

        int others = ahead[0] + ahead[1] + ahead[2] - ahead[first];
        bool isForward = 2 * ahead[first] == Shape[first] ? (others & 1) == 1 : 2 * ahead[first] < Shape[first];
        return Links.Of(first, isForward ? 1 : -1);
    }

    private void Check(int tree)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(tree);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(tree, Trees);
    }
}
