using CamCube.Trees;

namespace CamCube.Services.Distribution.Tests.Coding;

/// <summary>What the trees themselves promise: who loses how many, and whether a code makes up for it.</summary>
public sealed class TreeLossTests
{
    [Theory]
    [InlineData(3, 3, 3)]
    [InlineData(4, 4, 4)]
    [InlineData(3, 4, 5)]
    [InlineData(4, 4, 1)]
    public void One_tree_of_parity_makes_up_for_any_cable_and_two_for_any_server(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z);
        var plan = TreePlan.Create(shape, shape.At(shape.Count / 2), TreeKind.Six);
        int servers = 0;
        for (int rank = 0; rank < shape.Count; rank++)
        {
            Coordinate at = shape.At(rank);
            foreach (Link link in shape.CabledLinks(at))
            {
                Assert.Equal(0, Lacking(plan, code: 1, dead: null, (at, link)));
            }

            if (at != plan.Root)
            {
                Assert.Equal(0, Lacking(plan, code: 2, at, cut: null));
                servers += Lacking(plan, code: 1, at, cut: null) > 0 ? 1 : 0;
            }
        }

        // Not all: some are above the same servers in two trees.
        Assert.True(servers > 0);
    }

    // Servers that live and do not get all stripes, where each makes those that lack of those that it has.
    private static int Lacking(TreePlan plan, int code, Coordinate? dead, (Coordinate At, Link Link)? cut)
    {
        TorusShape shape = plan.Shape;
        Dictionary<Coordinate, HashSet<int>> has = Enumerable
            .Range(0, shape.Count)
            .Select(shape.At)
            .Where(at => at != dead)
            .ToDictionary(static at => at, static _ => new HashSet<int>());
        has[plan.Root].UnionWith(Enumerable.Range(0, plan.Trees));
        for (bool isNew = true; isNew; )
        {
            isNew = false;
            foreach ((Coordinate at, HashSet<int> trees) in has)
            {
                int before = trees.Count;
                trees.UnionWith(Enumerable.Range(0, plan.Trees).Where(tree => at != plan.Root && Comes(tree, at)));
                if (trees.Count >= plan.Trees - code)
                {
                    trees.UnionWith(Enumerable.Range(0, plan.Trees));
                }

                isNew |= trees.Count > before;
            }
        }

        return has.Values.Count(trees => trees.Count < plan.Trees);

        bool Comes(int tree, Coordinate at)
        {
            Link up = plan.ParentLink(tree, at);
            Coordinate parent = plan.Parent(tree, at);
            bool isCut = cut is { } c && ((c.At, c.Link) == (at, up) || (c.At, c.Link) == (parent, up.Opposite()));
            return !isCut && has.TryGetValue(parent, out HashSet<int>? trees) && trees.Contains(tree);
        }
    }
}
