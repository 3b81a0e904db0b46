using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>The trees of a channel: those of the cube, with its members only, and rank 0 as their root. A member's
/// parent is the next member on its way to the root, so all vertices are members, which have to be there anyhow, and
/// nobody else has a part. Depends on the cube and the members only.</summary>
internal static class ChannelPlan
{
    /// <summary>The edges of a member, tree by tree.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="members">The members.</param>
    /// <param name="ranks">Their ranks.</param>
    /// <param name="own">The rank of whose edges they are.</param>
    /// <param name="isShort">One tree of shortest ways, not as many as there are.</param>
    public static TreeLinks[] Of(
        TorusShape shape,
        IReadOnlyList<Coordinate> members,
        Dictionary<Coordinate, int> ranks,
        int own,
        bool isShort
    )
    {
        if (members.Count == 1)
        {
            return [new TreeLinks(null, [])];
        }

        var plan = TreePlan.Create(shape, members[0], isShort ? TreeKind.One : TreeKind.Six);
        var trees = new TreeLinks[plan.Trees];
        for (int tree = 0; tree < trees.Length; tree++)
        {
            TreeLink? parent = null;
            var children = new List<TreeLink>();
            for (int rank = 1; rank < members.Count; rank++)
            {
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

    /// <summary>All of it, for people: each member's place in each tree. Depth counts members.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="members">The members.</param>
    public static TreeRow[] Show(TorusShape shape, IReadOnlyList<Coordinate> members)
    {
        var rows = new List<TreeRow>();
        var ranks = new Dictionary<Coordinate, int>();
        for (int rank = 0; rank < members.Count; rank++)
        {
            ranks.Add(members[rank], rank);
        }

        foreach (bool isShort in (bool[])[false, true])
        {
            TreeLinks[][] links =
            [
                .. Enumerable.Range(0, members.Count).Select(own => Of(shape, members, ranks, own, isShort)),
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

                    rows.Add(
                        new TreeRow(
                            isShort ? "short" : $"{tree}",
                            $"{members[rank]}",
                            parent is { } to ? $"{members[to.Rank]}" : null,
                            parent?.Cable?.Name(),
                            depth,
                            true,
                            $"{members[rank]}"
                        )
                    );
                }
            }
        }

        return [.. rows];
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
