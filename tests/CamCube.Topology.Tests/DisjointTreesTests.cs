namespace CamCube.Topology.Tests;

public sealed class DisjointTreesTests
{
    [Fact]
    public void Trees_of_every_small_shape_share_no_link_and_end_at_any_root()
    {
        foreach (TorusShape shape in Shapes.UpTo(5, 4, 4))
        {
            // Roots in all corners, so that each end of an axis of size 2 is one.
            for (int corner = 0; corner < 8; corner++)
            {
                Check(
                    shape,
                    new(
                        (ushort)((corner & 1) * (shape.X - 1)),
                        (ushort)((corner >> 1 & 1) * (shape.Y - 1)),
                        (ushort)((corner >> 2) * (shape.Z - 1))
                    )
                );
            }
        }
    }

    [Fact]
    public void Trees_of_larger_shapes_and_random_roots_share_no_link()
    {
        var random = new Random(1);
        TorusShape[] shapes =
        [
            new(3, 3, 3),
            new(8, 8, 8),
            new(16, 16, 16),
            new(7, 1, 10),
            new(1, 1, 40),
            new(2, 9, 9),
            new(9, 2, 9, false),
            new(2, 2, 30, false),
            new(2, 11, 2, false),
            new(2, 1, 30, false),
        ];
        foreach (TorusShape shape in shapes)
        {
            for (int i = 0; i < 3; i++)
            {
                Check(shape, shape.At(random.Next(shape.Count)));
            }
        }
    }

    // Rows of the table in algorithms.md §2, and the shapes of one cable that it asks for.
    [Theory]
    [InlineData("2x2x2", true, 6, 42, 4, 2.57, 1.71, 3)]
    [InlineData("3x3x3", true, 6, 156, 6, 3.73, 2.08, 3)]
    [InlineData("4x4x4", true, 6, 378, 9, 5.05, 3.05, 6)]
    [InlineData("8x8x8", true, 6, 3_066, 21, 10.77, 6.01, 12)]
    [InlineData("3x4x5", true, 6, 354, 9, 5.07, 2.92, 5)]
    [InlineData("2x3x4", true, 6, 138, 7, 3.80, 2.26, 4)]
    [InlineData("1x5x5", true, 4, 96, 8, 4.50, 2.50, 4)]
    [InlineData("1x1x6", true, 2, 10, 5, 3.00, 1.80, 3)]
    [InlineData("1x1x1", true, 0, 0, 0, 0, 0, 0)]
    [InlineData("1x1x2", false, 1, 1, 1, 1.00, 1.00, 1)]
    [InlineData("2x2x2", false, 3, 21, 4, 2.57, 1.71, 3)]
    [InlineData("2x3x4", false, 5, 115, 6, 3.67, 2.26, 4)]
    [InlineData("8x8x2", false, 5, 635, 15, 7.81, 4.54, 9)]
    public void The_table_of_the_algorithms_holds(
        string text,
        bool parallel,
        int trees,
        int links,
        int deepest,
        double mean,
        double shortestMean,
        int diameter
    )
    {
        TorusShape shape = Shapes.Parse(text) with { ParallelCables = parallel };
        DisjointTrees all = DisjointTrees.For(shape);
        int used = 0,
            max = 0,
            sum = 0,
            shortest = 0;
        foreach (Link tree in all.Trees)
        {
            for (int rank = 1; rank < shape.Count; rank++)
            {
                int depth = all.Depth(tree, default, shape.At(rank));
                (used, sum, max) = (used + 1, sum + depth, Math.Max(max, depth));
            }
        }

        for (int rank = 1; rank < shape.Count; rank++)
        {
            shortest += shape.Distance(default, shape.At(rank));
        }

        Assert.Equal((trees, links, deepest, diameter), (all.Trees.Count, used, max, shape.Diameter));
        Assert.Equal(mean, sum / Math.Max(1.0, used), 0.005);
        Assert.Equal(shortestMean, shortest / Math.Max(1.0, shape.Count - 1), 0.005);
    }

    [Fact]
    public void A_failed_cable_costs_a_server_one_tree_a_failed_server_two_and_two_servers_four_at_most()
    {
        var shape = new TorusShape(4, 4, 4);
        DisjointTrees trees = DisjointTrees.For(shape);
        for (int rank = 1; rank < shape.Count; rank++)
        {
            var cables = new Dictionary<(int, int), int>();
            var servers = new Dictionary<int, int>();
            var lostWith = new int[shape.Count];
            foreach (Link tree in trees.Trees)
            {
                for (Coordinate at = shape.At(rank); at != default; at = trees.Parent(tree, default, at))
                {
                    Link link = trees.ParentLink(tree, default, at);
                    Coordinate next = shape.Step(at, link);
                    (int a, int b) = (shape.RankOf(at) * 6 + (int)link, shape.RankOf(next) * 6 + (int)link.Opposite());
                    (int, int) cable = (Math.Min(a, b), Math.Max(a, b));
                    cables[cable] = cables.GetValueOrDefault(cable) + 1;
                    lostWith[shape.RankOf(at)] |= at == shape.At(rank) ? 0 : 1 << (int)tree;
                }
            }

            Assert.All(cables.Values, count => Assert.InRange(count, 1, 1));
            for (int a = 1; a < shape.Count; a++)
            {
                Assert.InRange(new LinkSet((byte)lostWith[a]).Count, 0, 2);
                for (int b = 1; b < a; b++)
                {
                    Assert.InRange(new LinkSet((byte)(lostWith[a] | lostWith[b])).Count, 0, 4);
                }
            }
        }
    }

    [Fact]
    public void A_pruned_tree_is_the_union_of_the_members_ways()
    {
        var random = new Random(7);
        for (int i = 0; i < 200; i++)
        {
            TorusShape shape = Shapes.Random(random, 6);
            DisjointTrees trees = DisjointTrees.For(shape);
            Coordinate root = shape.At(random.Next(shape.Count));
            Coordinate[] members = Shapes.Members(random, shape, most: 7);
            foreach (Link tree in trees.Trees)
            {
                HashSet<(Coordinate, Link)> expected = Shapes.WaysTo(
                    shape,
                    root,
                    members,
                    at => trees.ParentLink(tree, root, at)
                );
                OutTree pruned = trees.OutTree(tree, root, members);
                Assert.Equal(expected.Count, pruned.LinkCount);
                Assert.Equal(expected, Shapes.LinksOf(pruned));
                Assert.All(members, member => Assert.True(pruned.Contains(member)));
            }
        }
    }

    [Fact]
    public void A_tree_that_the_shape_does_not_have_is_refused()
    {
        DisjointTrees trees = DisjointTrees.For(new TorusShape(1, 2, 3, false));
        Assert.Equal(Link.YPlus | (LinkSet)Link.ZPlus | Link.ZMinus, trees.Trees);
        Assert.Throws<ArgumentException>(() => trees.ParentLink(Link.XPlus, default, default));
        Assert.Throws<ArgumentException>(() => trees.ChildLinks(Link.YMinus, default, default));
        Assert.Throws<ArgumentException>(() => trees.OutTree(Link.Local, default, []));
    }

    [Fact]
    public void Questions_of_a_hop_allocate_nothing()
    {
        DisjointTrees trees = DisjointTrees.For(new TorusShape(3, 2, 4, false));
        int sum = 0;
        Allocations.AssertNone(() =>
        {
            for (int rank = 0; rank < trees.Shape.Count; rank++)
            {
                foreach (Link tree in trees.Trees)
                {
                    Coordinate at = trees.Shape.At(rank);
                    sum +=
                        (int)trees.ParentLink(tree, default, at)
                        + trees.ChildLinks(tree, default, at).Bits
                        + trees.Parent(tree, default, at).X
                        + trees.Depth(tree, default, at);
                }
            }
        });
        Assert.True(sum > 0);
    }

    private static void Check(TorusShape shape, Coordinate root)
    {
        DisjointTrees trees = DisjointTrees.For(shape);
        int degree = shape.CabledLinks(root).Count;
        bool hasPairs = !shape.ParallelCables && (shape.X == 2 || shape.Y == 2 || shape.Z == 2);
        Assert.Equal(degree, trees.Trees.Count);
        var used = new HashSet<(int, Link)>();
        var children = new int[shape.Count];
        foreach (Link tree in trees.Trees)
        {
            var depths = new int[shape.Count];
            var childLinks = new LinkSet[shape.Count];
            for (int rank = 0; rank < shape.Count; rank++)
            {
                Coordinate server = shape.At(rank);
                Link link = trees.ParentLink(tree, root, server);
                Assert.Equal(server == root, link == Link.Local);
                if (server != root)
                {
                    Assert.True(shape.CabledLinks(server).Contains(link));
                    Assert.True(used.Add((rank, link)), $"{shape} {root}: {server} sends twice on {link.Name()}");
                    Coordinate parent = shape.Step(server, link);
                    Assert.Equal(parent, trees.Parent(tree, root, server));
                    Assert.False(childLinks[shape.RankOf(parent)].Contains(link.Opposite()));
                    childLinks[shape.RankOf(parent)] |= link.Opposite();
                }
            }

            for (int rank = 0; rank < shape.Count; rank++)
            {
                Coordinate server = shape.At(rank),
                    at = server;
                int depth = 0;
                for (; at != root; depth++)
                {
                    Assert.True(depth < shape.Count, $"{shape} {root}: tree {tree.Name()} goes round from {server}");
                    at = trees.Parent(tree, root, at);
                }

                Assert.True(shape.Count > 150 || depth == trees.Depth(tree, root, server));
                Assert.Equal(childLinks[rank], trees.ChildLinks(tree, root, server));
                Assert.InRange(
                    childLinks[rank].Count,
                    0,
                    server == root ? 1
                        : hasPairs ? 4
                        : 3
                );
                children[rank] += childLinks[rank].Count;
            }

            Link only = childLinks[shape.RankOf(root)].First;
            Assert.Equal(tree.Axis(), only.Axis());
            Assert.True(tree == only || (shape[tree.Axis()] == 2 && !shape.ParallelCables));
        }

        Assert.Equal(degree * (shape.Count - 1), used.Count);

        // What a server sends to children is all its links but those to the root, which no tree uses that way.
        for (int rank = 0; rank < shape.Count; rank++)
        {
            int toRoot = shape.CabledLinks(shape.At(rank)).Bits;
            Assert.Equal(degree - Count(toRoot, link => shape.Step(shape.At(rank), link) == root), children[rank]);
        }
    }

    private static int Count(int links, Func<Link, bool> isOne)
    {
        int count = 0;
        foreach (Link link in new LinkSet((byte)links))
        {
            count += isOne(link) ? 1 : 0;
        }

        return count;
    }
}
