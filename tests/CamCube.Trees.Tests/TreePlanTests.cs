namespace CamCube.Trees.Tests;

/// <summary>Plans against what they are for: all servers, or some, by links that are no other tree's.</summary>
public sealed class TreePlanTests
{
    [Fact]
    public void Trees_of_every_small_shape_lead_all_servers_to_the_root_and_six_share_no_link()
    {
        foreach (TorusShape shape in Shapes())
        {
            foreach (TreeKind kind in Enum.GetValues<TreeKind>())
            {
                Coordinate root = shape.At(shape.Count / 2);
                TreePlan plan = TreePlan.Create(shape, root, kind);
                Assert.Equal(kind == TreeKind.Six ? Links(shape) : 1, plan.Trees);
                var used = new HashSet<(Coordinate, Link)>();
                for (int tree = 0; tree < plan.Trees; tree++)
                {
                    CheckTree(plan, tree, used);
                }

                Assert.Equal(plan.Trees * (shape.Count - 1), used.Count);
            }
        }
    }

    [Fact]
    public void With_some_members_a_tree_has_the_ways_to_them_and_no_more()
    {
        var random = new Random(1);
        TorusShape[] shapes = [.. Shapes()];
        for (int i = 0; i < 400; i++)
        {
            TorusShape shape = shapes[random.Next(shapes.Length)];
            Coordinate root = shape.At(random.Next(shape.Count));
            Coordinate[] members =
            [
                .. Enumerable.Range(0, 1 + random.Next(shape.Count)).Select(_ => shape.At(random.Next(shape.Count))),
            ];
            var kind = (TreeKind)random.Next(3);
            TreePlan plan = TreePlan.Create(shape, root, kind, members, random.Next(100)),
                all = TreePlan.Create(shape, root, kind, default, 0);
            for (int tree = 0; tree < plan.Trees; tree++)
            {
                HashSet<Coordinate> expected = [root];
                foreach (Coordinate member in members)
                {
                    for (Coordinate at = member; at != root; at = plan.Parent(tree, at))
                    {
                        expected.Add(at);
                    }
                }

                for (int rank = 0; rank < shape.Count; rank++)
                {
                    Coordinate at = shape.At(rank);
                    Assert.Equal(expected.Contains(at), plan.Contains(tree, at));
                    int children = 0;
                    foreach (Link link in plan.Children(tree, at))
                    {
                        children++;
                        Assert.Equal(at, plan.Parent(tree, shape.Step(at, link)));
                    }

                    Assert.Equal(expected.Count(c => c != root && plan.Parent(tree, c) == at), children);
                }

                Assert.True(
                    kind == TreeKind.One || all.ParentLink(tree, members[0]) == plan.ParentLink(tree, members[0])
                );
            }
        }
    }

    [Theory]
    [InlineData(4, 4, 4)]
    [InlineData(3, 3, 3)]
    public void Single_trees_of_all_numbers_are_of_shortest_ways_and_load_all_links_alike(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z);
        Dictionary<(Coordinate, Link), int> loads = [];
        for (int number = 0; number < TreePlan.Ways; number++)
        {
            // A root each, as jobs with many reduces have; translated, they cover all places.
            for (int rank = 0; rank < shape.Count; rank++)
            {
                TreePlan plan = TreePlan.Create(shape, shape.At(rank), TreeKind.One, number: number);
                for (int other = 0; other < shape.Count; other++)
                {
                    Coordinate at = shape.At(other);
                    Assert.Equal(shape.Distance(at, plan.Root), plan.Depth(0, at));
                    if (at != plan.Root)
                    {
                        (Coordinate, Link) edge = (at, plan.ParentLink(0, at));
                        loads[edge] = loads.GetValueOrDefault(edge) + 1;
                    }
                }
            }
        }

        Assert.Equal(6 * shape.Count, loads.Count);
        Assert.Single(loads.Values.Distinct());
    }

    [Theory]
    [InlineData(8, 1.03, 1.011)]
    [InlineData(5, 1.07, 1.001)]
    [InlineData(4, 1.05, 1.07)]
    [InlineData(3, 1.16, 1.001)]
    public void Even_trees_are_of_shortest_ways_and_those_of_all_servers_load_all_links_alike(
        int size,
        double mostTrees,
        double mostWays
    )
    {
        var shape = new TorusShape(size, size, size);
        Dictionary<(Coordinate, Link), (int Trees, int Ways)> loads = [];
        for (int rank = 0; rank < shape.Count; rank++)
        {
            TreePlan plan = TreePlan.Create(shape, shape.At(rank), TreeKind.Even);
            HashSet<(Coordinate, Link)> used = [];
            for (int other = 0; other < shape.Count; other++)
            {
                Coordinate at = shape.At(other);
                int depth = shape.Distance(at, plan.Root);
                for (; at != plan.Root; depth--)
                {
                    (Coordinate, Link) edge = (at, plan.ParentLink(0, at));
                    (int trees, int ways) = loads.GetValueOrDefault(edge);
                    loads[edge] = (trees + (used.Add(edge) ? 1 : 0), ways + 1);
                    at = plan.Parent(0, at);
                }

                Assert.Equal(0, depth);
            }
        }

        Assert.Equal(6 * shape.Count, loads.Count);
        Assert.InRange(loads.Values.Max(static l => l.Trees) / loads.Values.Average(static l => l.Trees), 1, mostTrees);
        Assert.InRange(loads.Values.Max(static l => l.Ways) / loads.Values.Average(static l => l.Ways), 1, mostWays);
    }

    [Fact]
    public void What_the_cube_does_not_have_is_refused_in_words()
    {
        var shape = new TorusShape(3, 3, 1);
        Assert.Throws<ArgumentException>(() => TreePlan.Create(shape, new(3, 0, 0), TreeKind.Six));
        Assert.Throws<ArgumentException>(() => TreePlan.Create(shape, default, TreeKind.Six, [new(0, 0, 1)]));
        Assert.Throws<ArgumentOutOfRangeException>(() => TreePlan.Create(shape, default, TreeKind.One, number: -1));
        TreePlan plan = TreePlan.Create(shape, default, TreeKind.Six);
        Assert.Throws<ArgumentOutOfRangeException>(() => plan.ParentLink(4, default));
        Assert.Throws<ArgumentOutOfRangeException>(() => plan.Children(-1, default));
        Assert.False(plan.Contains(0, new(0, 0, 1)));
        Assert.Equal(0, TreePlan.Create(new TorusShape(1, 1, 1), default, TreeKind.Six).Trees);
    }

    private static void CheckTree(TreePlan plan, int tree, HashSet<(Coordinate, Link)> used)
    {
        TorusShape shape = plan.Shape;
        Assert.Equal(Link.Local, plan.ParentLink(tree, plan.Root));
        for (int rank = 0; rank < shape.Count; rank++)
        {
            Coordinate at = shape.At(rank);
            Assert.True(plan.Contains(tree, at));
            Assert.InRange(plan.Depth(tree, at), 0, shape.Count);
            if (at != plan.Root)
            {
                Link up = plan.ParentLink(tree, at);
                Assert.True(used.Add((at, up)), $"{shape} {plan.Kind} {tree}: {at} {up}");
                Assert.True(plan.Children(tree, plan.Parent(tree, at)).Contains(up.Opposite()));
            }
        }
    }

    private static int Links(TorusShape shape) =>
        Enumerable
            .Range(0, 3)
            .Sum(a =>
                shape[a] == 1 ? 0
                : shape[a] == 2 && !shape.ParallelCables ? 1
                : 2
            );

    private static IEnumerable<TorusShape> Shapes() =>
        from x in Enumerable.Range(1, 4)
        from y in Enumerable.Range(1, 4)
        from z in Enumerable.Range(1, 3)
        from parallel in new[] { true, false }
        select new TorusShape(x, y, z, parallel);
}
