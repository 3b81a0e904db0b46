using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>The trees of a channel: those of the cube, with its members only. A member's parent is the next member on
/// its way to the root, so all vertices are members, which have to be there anyhow, and nobody else has a part. Depends
/// on the cube and the members only.</summary>
internal static class ChannelPlan
{
    /// <summary>The edges of a member, tree by tree.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="members">The members.</param>
    /// <param name="ranks">Their ranks.</param>
    /// <param name="own">The rank of whose edges they are.</param>
    /// <param name="kind">Which trees.</param>
    /// <param name="root">The rank of who is their root.</param>
    public static TreeLinks[] Of(
        TorusShape shape,
        IReadOnlyList<Coordinate> members,
        Dictionary<Coordinate, int> ranks,
        int own,
        TreeKind kind,
        int root = 0
    )
    {
        if (members.Count == 1)
        {
            return [new TreeLinks(null, [])];
        }

        var plan = TreePlan.Create(shape, members[root], kind);
        var trees = new TreeLinks[plan.Trees];
        for (int tree = 0; tree < trees.Length; tree++)
        {
            TreeLink? parent = null;
            var children = new List<TreeLink>();
            for (int rank = 0; rank < members.Count; rank++)
            {
                if (rank == root)
                {
                    continue;
                }

                TreeLink to = ParentOf(plan, tree, members[rank], ranks);
                if (rank == own)
                {
                    parent = to;
                }
                else if (to.Rank == own)
                {
                    children.Add(new TreeLink(rank, to.Cable?.Opposite()));
                }
            }

            trees[tree] = new TreeLinks(parent, [.. children]);
        }

        return trees;
    }

    /// <summary>How many edges the member has that has most, where each is the root of a tree of its own
    /// (<see cref="TreeKind.Even"/>), in one direction.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="members">The members.</param>
    /// <param name="ranks">Their ranks.</param>
    public static int MostEdges(TorusShape shape, IReadOnlyList<Coordinate> members, Dictionary<Coordinate, int> ranks)
    {
        int[] edges = new int[members.Count];
        for (int root = 0; root < members.Count; root++)
        {
            var plan = TreePlan.Create(shape, members[root], TreeKind.Even);
            for (int rank = 0; rank < members.Count; rank++)
            {
                if (rank != root)
                {
                    edges[rank]++;
                    edges[ParentOf(plan, 0, members[rank], ranks).Rank]++;
                }
            }
        }

        return edges.Max();
    }

    /// <summary>The trees of rank 0, for people: each member's place in each. Depth counts members.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="members">The members.</param>
    public static TreeRow[] Show(TorusShape shape, IReadOnlyList<Coordinate> members) =>
        [
            .. Show(shape, members, TreeKind.Six, 0, static tree => $"{tree}"),
            .. Show(shape, members, TreeKind.One, 0, static _ => "short"),
        ];

    /// <summary>The tree of a member, along which its part goes, for people.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="members">The members.</param>
    /// <param name="rank">The member's rank.</param>
    public static TreeRow[] ShowPart(TorusShape shape, IReadOnlyList<Coordinate> members, int rank) =>
        [.. Show(shape, members, TreeKind.Even, rank, _ => $"part {rank}")];

    private static IEnumerable<TreeRow> Show(
        TorusShape shape,
        IReadOnlyList<Coordinate> members,
        TreeKind kind,
        int root,
        Func<int, string> nameOf
    )
    {
        var ranks = new Dictionary<Coordinate, int>();
        for (int rank = 0; rank < members.Count; rank++)
        {
            ranks.Add(members[rank], rank);
        }

        TreeLinks[][] links =
        [
            .. Enumerable.Range(0, members.Count).Select(own => Of(shape, members, ranks, own, kind, root)),
        ];
        for (int tree = 0; tree < links[0].Length; tree++)
        {
            for (int rank = 0; rank < members.Count; rank++)
            {
                TreeLink? parent = links[rank][tree].Parent;
                int depth = 0;
                for (TreeLink? at = parent; at is { } up; at = links[up.Rank][tree].Parent)
                {
                    depth++;
                }

                yield return new TreeRow(
                    nameOf(tree),
                    $"{members[rank]}",
                    parent is { } to ? $"{members[to.Rank]}" : null,
                    parent?.Cable?.Name(),
                    depth,
                    true,
                    $"{members[rank]}"
                );
            }
        }
    }

    private static TreeLink ParentOf(TreePlan plan, int tree, Coordinate member, Dictionary<Coordinate, int> ranks)
    {
        Link first = plan.ParentLink(tree, member);
        Coordinate at = plan.Parent(tree, member);
        if (ranks.TryGetValue(at, out int rank))
        {
            return new TreeLink(rank, first);
        }

        do
        {
            at = plan.Parent(tree, at);
        } while (!ranks.TryGetValue(at, out rank));

        return new TreeLink(rank, null);
    }
}
