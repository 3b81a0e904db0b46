namespace CamCube.Trees;

/// <summary>One server's place in one tree of a job that runs, as JSON has it.</summary>
/// <param name="Tree">The tree: its number, or what it is for.</param>
/// <param name="Server">The server.</param>
/// <param name="Parent">Whom it pulls; null: it is the root.</param>
/// <param name="Link">Its own link to that, as in <c>+x</c>; null: they are not neighbours in the tree, or it is the
/// root.</param>
/// <param name="Depth">Edges to the root.</param>
/// <param name="IsMember">It is no server that only passes on.</param>
/// <param name="Player">Who plays its vertex now: another server while it is lost.</param>
public sealed record TreeRow(
    string Tree,
    string Server,
    string? Parent,
    string? Link,
    int Depth,
    bool IsMember,
    string Player
)
{
    /// <summary>All trees of a plan, tree by tree, in the order of the servers' ranks.</summary>
    /// <param name="plan">The trees.</param>
    /// <param name="player">Who plays a server's vertex in a tree.</param>
    /// <param name="isMember">Whether a server is a member.</param>
    public static TreeRow[] Of(TreePlan plan, Func<int, Coordinate, Coordinate> player, Func<Coordinate, bool> isMember)
    {
        var rows = new List<TreeRow>();
        for (int tree = 0; tree < plan.Trees; tree++)
        {
            foreach (Coordinate at in Enumerable.Range(0, plan.Shape.Count).Select(plan.Shape.At))
            {
                if (plan.Contains(tree, at))
                {
                    bool isRoot = at == plan.Root;
                    rows.Add(
                        new TreeRow(
                            $"{tree}",
                            $"{at}",
                            isRoot ? null : $"{plan.Parent(tree, at)}",
                            isRoot ? null : plan.ParentLink(tree, at).Name(),
                            plan.Depth(tree, at),
                            isMember(at),
                            $"{player(tree, at)}"
                        )
                    );
                }
            }
        }

        return [.. rows];
    }
}
