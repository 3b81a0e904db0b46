namespace CamCube.Topology.Tests;

public sealed class MiniCubeRoutesTests
{
    [Theory]
    [InlineData(2), InlineData(3), InlineData(4), InlineData(5), InlineData(6), InlineData(7), InlineData(8)]
    [InlineData(9), InlineData(10), InlineData(11), InlineData(12), InlineData(13), InlineData(14), InlineData(15)]
    [InlineData(16), InlineData(17), InlineData(18), InlineData(19), InlineData(20)]
    public void Every_path_ends_at_the_root_and_is_as_short_as_any(int size)
    {
        var shape = new TorusShape(size, size, size);
        Coordinate root = new((ushort)(size / 3), (ushort)(size - 1), 0);
        CheckAllSources(shape, root);
    }

    [Fact]
    public void The_same_holds_on_every_small_shape_with_one_cable_or_two()
    {
        foreach (TorusShape shape in Shapes.UpTo(9, 4, 3))
        {
            CheckAllSources(shape, default);
            CheckAllSources(shape, shape.At(shape.Count - 1));
        }
    }

    [Fact]
    public void Next_hops_are_those_of_the_papers_pseudo_code()
    {
        TorusShape[] shapes = [new(8, 8, 8), new(20, 20, 20), new(5, 12, 2), new(2, 2, 2), new(3, 1, 16)];
        foreach (TorusShape shape in shapes)
        {
            MiniCubeRoutes routes = MiniCubeRoutes.For(shape);
            Coordinate root = shape.At(shape.Count / 2);
            for (int rank = 0; rank < shape.Count; rank++)
            {
                Assert.Equal(Naive(shape, shape.At(rank), root), routes.NextHop(shape.At(rank), root));
            }
        }
    }

    [Fact]
    public void On_axes_of_size_3_it_is_dimension_order()
    {
        var shape = new TorusShape(3, 3, 3);
        for (int rank = 0; rank < shape.Count; rank++)
        {
            Assert.Equal(
                TorusRoutes.For(shape).NextHops(shape.At(rank), default).First,
                MiniCubeRoutes.For(shape).NextHop(shape.At(rank), default)
            );
        }
    }

    [Fact]
    public void Joins_make_the_union_of_the_paths_in_whatever_order()
    {
        var random = new Random(3);
        for (int i = 0; i < 200; i++)
        {
            TorusShape shape = Shapes.Random(random, 9);
            MiniCubeRoutes routes = MiniCubeRoutes.For(shape);
            Coordinate root = shape.At(random.Next(shape.Count));
            Coordinate[] members = Shapes.Members(random, shape, most: 11);
            HashSet<(Coordinate, Link)> expected = Shapes.WaysTo(shape, root, members, at => routes.NextHop(at, root));
            OutTree tree = routes.OutTree(root, members);
            random.Shuffle(members);
            Assert.Equal(expected, Shapes.LinksOf(tree));
            Assert.Equal(expected, Shapes.LinksOf(routes.OutTree(root, members)));
            Assert.Equal(expected.Count, tree.LinkCount);
            Assert.All(members, member => Assert.True(tree.Contains(member)));
        }
    }

    // Rows of the table in algorithms.md §4: links saved against random shortest paths, in per cent, by mini-cubes and
    // by dimension order. The table is of 5 to 10 runs, in which few members are many accidents, so a few points are
    // allowed either way.
    [Theory]
    [InlineData(8, 0.01, 4.0, 9.7)]
    [InlineData(8, 0.02, 6.1, 8.6)]
    [InlineData(8, 0.05, 13.7, 13.3)]
    [InlineData(8, 0.1, 14.1, 13.7)]
    [InlineData(8, 0.2, 13.3, 7.3)]
    [InlineData(8, 0.5, 7.4, 0)]
    [InlineData(8, 1, 0, 0)]
    [InlineData(16, 0.005, 15.9, 14.0)]
    [InlineData(16, 0.01, 19.1, 12.0)]
    [InlineData(16, 0.02, 22.7, 14.1)]
    [InlineData(16, 0.05, 23.2, 9.9)]
    [InlineData(16, 0.1, 19.9, -2.4)]
    [InlineData(16, 0.2, 16.7, -11.4)]
    [InlineData(16, 0.5, 8.3, -12.1)]
    [InlineData(16, 1, 0, 0)]
    [InlineData(20, 0.005, 18.5, 14.7)]
    [InlineData(20, 0.01, 24.3, 11.1)]
    [InlineData(20, 0.02, 27.2, 9.0)]
    [InlineData(20, 0.05, 26.8, 0.5)]
    [InlineData(20, 0.1, 23.3, -9.4)]
    [InlineData(20, 0.2, 19.2, -19.5)]
    [InlineData(20, 0.5, 9.0, -14.1)]
    [InlineData(20, 1, 0, 0)]
    public void Joins_save_the_links_that_the_table_says(
        int size,
        double fraction,
        double miniCube,
        double dimensionOrder
    )
    {
        var shape = new TorusShape(size, size, size);
        TorusRoutes routes = TorusRoutes.For(shape);
        var random = new Random(11);
        (double random0, double mini, double order) = (0, 0, 0);
        for (int run = 0; run < (size == 8 ? 100 : 20); run++)
        {
            Coordinate root = shape.At(random.Next(shape.Count));
            int[] ranks = [.. Enumerable.Range(0, shape.Count)];
            random.Shuffle(ranks);
            Coordinate[] members = [.. ranks.Take(Math.Max(1, (int)(fraction * shape.Count))).Select(shape.At)];
            OutTree basis = new(shape, root),
                ordered = new(shape, root);
            foreach (Coordinate member in members)
            {
                basis.Join(member, at => Any(routes.NextHops(at, root), random));
                ordered.Join(member, at => routes.NextHops(at, root).First);
            }

            random0 += basis.LinkCount;
            order += ordered.LinkCount;
            mini += MiniCubeRoutes.For(shape).OutTree(root, members).LinkCount;
        }

        double tolerance =
            fraction == 1 ? 0.001
            : shape.Count * fraction < 50 ? 5
            : 2.5;
        Assert.Equal(miniCube, 100 * (1 - (mini / random0)), tolerance);
        Assert.Equal(dimensionOrder, 100 * (1 - (order / random0)), 2 * tolerance);
    }

    [Fact]
    public void A_join_that_does_not_reach_the_tree_leaves_it_as_it_was()
    {
        var shape = new TorusShape(4, 1, 1);
        var tree = new OutTree(shape, default);
        Assert.Equal(1, tree.Join(new(1, 0, 0), _ => Link.XMinus));
        Assert.Throws<InvalidOperationException>(() => tree.Join(new(2, 0, 0), _ => Link.Local));
        Assert.Throws<InvalidOperationException>(() =>
            tree.Join(new(2, 0, 0), at => at.X == 2 ? Link.XPlus : Link.XMinus)
        );
        Assert.Equal(1, tree.LinkCount);
        Assert.False(tree.Contains(new(2, 0, 0)));
        Assert.Equal(1, tree.Join(new(2, 0, 0), _ => Link.XMinus));
        Assert.Equal(0, tree.Join(default, _ => Link.Local));
    }

    [Fact]
    public void Questions_of_a_hop_allocate_nothing()
    {
        MiniCubeRoutes routes = MiniCubeRoutes.For(new TorusShape(8, 5, 2));
        int sum = 0;
        Allocations.AssertNone(() =>
        {
            for (int rank = 0; rank < routes.Shape.Count; rank++)
            {
                sum += (int)routes.NextHop(routes.Shape.At(rank), default);
            }
        });
        Assert.True(sum > 0);
    }

    private static void CheckAllSources(TorusShape shape, Coordinate root)
    {
        MiniCubeRoutes routes = MiniCubeRoutes.For(shape);
        TorusRoutes shortest = TorusRoutes.For(shape);
        for (int rank = 0; rank < shape.Count; rank++)
        {
            // A hop on a shortest path from everywhere: then every path is one.
            Coordinate at = shape.At(rank);
            Link link = routes.NextHop(at, root);
            Assert.True(shortest.NextHops(at, root).Contains(link), $"{shape}: {link.Name()} from {at} to {root}");
        }

        Coordinate far = shape.At(shape.Count / 2);
        Coordinate[] path = routes.Path(far, root);
        Assert.Equal((far, root, shape.Distance(far, root)), (path[0], path[^1], path.Length - 1));
    }

    private static Link Any(LinkSet links, Random random)
    {
        int skip = random.Next(links.Count);
        foreach (Link link in links)
        {
            if (skip-- == 0)
            {
                return link;
            }
        }

        throw new InvalidOperationException();
    }

    // F of algorithms.md §4, word for word.
    private static Link Naive(TorusShape shape, Coordinate cur, Coordinate root)
    {
        (int minLevel, int minAxis) = (int.MaxValue, -1);
        for (int a = 0; a < 3; a++)
        {
            if (cur[a] != root[a])
            {
                int level = Math.Max(0, (int)Math.Ceiling(Math.Log2(shape[a])) - 1);
                while (shape.Distance(cur, root, a) % (1 << level) != 0)
                {
                    level--;
                }

                if (level < minLevel)
                {
                    (minLevel, minAxis) = (level, a);
                }
            }
        }

        if (minAxis < 0)
        {
            return Link.Local;
        }

        Link up = Links.Of(minAxis, 1),
            down = Links.Of(minAxis, -1);
        return shape.Distance(shape.Step(cur, up), root) < shape.Distance(shape.Step(cur, down), root) ? up : down;
    }
}
