namespace CamCube.Topology.Tests;

public sealed class DisjointPathsTests
{
    /// <summary>Orders of axes at a hop; the library has the cyclic one.</summary>
    private enum Order
    {
        Cyclic,
        Fixed,
        Largest,
    }

    // Rows of the table in algorithms.md §3: pairs from one source, of which all source paths share no link, fewest
    // paths that share none, most extra hops. The library's row of each shape is the cyclic one with one direction to
    // an antipode; the others show what it avoids. The orders go straight on while they can.
    [Theory]
    [InlineData("3x3x3", "Cyclic", false, 26, 26, 3, 2)]
    [InlineData("3x3x3", "Fixed", false, 26, 10, 2, 2)]
    [InlineData("3x3x3", "Largest", false, 26, 10, 2, 2)]
    [InlineData("5x5x5", "Cyclic", false, 124, 124, 3, 2)]
    [InlineData("5x5x5", "Fixed", false, 124, 28, 2, 2)]
    [InlineData("5x5x5", "Largest", false, 124, 40, 2, 2)]
    [InlineData("4x4x4", "Cyclic", true, 63, 29, 3, 2)]
    [InlineData("4x4x4", "Cyclic", false, 63, 63, 3, 2)]
    [InlineData("8x8x8", "Cyclic", true, 511, 345, 3, 2)]
    [InlineData("8x8x8", "Cyclic", false, 511, 511, 3, 2)]
    [InlineData("8x8x8", "Fixed", true, 511, 57, 2, 2)]
    [InlineData("8x8x8", "Largest", true, 511, 97, 2, 2)]
    [InlineData("2x3x4", "Cyclic", false, 23, 23, 3, 2)]
    [InlineData("2x2x2", "Cyclic", false, 7, 7, 3, 2)]
    [InlineData("1x4x5", "Cyclic", true, 19, 15, 2, 2)]
    [InlineData("1x4x5", "Cyclic", false, 19, 19, 2, 2)]
    [InlineData("1x1x6", "Cyclic", false, 5, 5, 1, 0)]
    public void The_table_of_the_algorithms_holds(
        string text,
        string order,
        bool bothToAntipode,
        int pairs,
        int disjoint,
        int fewest,
        int extra
    )
    {
        TorusShape shape = Shapes.Parse(text);
        (int allDisjoint, int fewestDisjoint, int mostExtra) = (0, int.MaxValue, 0);
        for (int rank = 1; rank < shape.Count; rank++)
        {
            Coordinate to = shape.At(rank);
            List<List<(Coordinate, Link)>> paths = Naive(shape, default, to, Enum.Parse<Order>(order), bothToAntipode);
            int most = MostDisjoint(paths);
            allDisjoint += most == paths.Count ? 1 : 0;
            fewestDisjoint = Math.Min(fewestDisjoint, most);
            mostExtra = Math.Max(mostExtra, paths.Max(path => path.Count) - shape.Distance(default, to));
        }

        Assert.Equal((pairs, disjoint, fewest, extra), (shape.Count - 1, allDisjoint, fewestDisjoint, mostExtra));
    }

    [Fact]
    public void Paths_of_every_small_shape_are_those_of_the_rule()
    {
        foreach (TorusShape shape in Shapes.UpTo(5, 4, 4))
        {
            Coordinate far = new((ushort)(shape.X - 1), (ushort)(shape.Y / 2), (ushort)(shape.Z - 1));
            Check(shape, default);
            Check(shape, far);
        }

        Check(new TorusShape(8, 8, 8), new(7, 0, 3));
        Check(new TorusShape(9, 7, 6), new(2, 6, 1));
    }

    [Fact]
    public void Paths_share_no_link_when_all_axes_have_three_servers_and_their_number_follows_the_differing_axes()
    {
        foreach (TorusShape shape in (TorusShape[])[new(3, 3, 3), new(4, 5, 6), new(8, 8, 8), new(7, 3, 4)])
        {
            for (int rank = 1; rank < shape.Count; rank++)
            {
                Coordinate to = shape.At(rank);
                Coordinate[][] paths = DisjointPaths.For(shape).Paths(default, to);
                int differing = (to.X > 0 ? 1 : 0) + (to.Y > 0 ? 1 : 0) + (to.Z > 0 ? 1 : 0);
                int shortest = shape.Distance(default, to);
                Assert.Equal(6 - differing, paths.Length);
                Assert.Equal(paths.Length, MostDisjoint([.. paths.Select(path => LinksOf(shape, path))]));
                foreach (Coordinate[] path in paths)
                {
                    bool detour = shape.Distance(path[1], to) > shortest;
                    Assert.Equal(shortest + (detour ? 2 : 0), path.Length - 1);
                    Assert.Equal(path.Length, path.Distinct().Count());
                }
            }
        }
    }

    [Fact]
    public void The_examples_of_the_algorithms_come_out()
    {
        DisjointPaths cube = DisjointPaths.For(new TorusShape(3, 3, 3));
        Assert.Equal(
            ["0,0,0 1,0,0 1,1,0 1,1,1", "0,0,0 0,1,0 0,1,1 1,1,1", "0,0,0 0,0,1 1,0,1 1,1,1"],
            cube.Paths(default, new(1, 1, 1)).Select(path => string.Join(' ', path))
        );

        DisjointPaths even = DisjointPaths.For(new TorusShape(4, 4, 4));
        Assert.Equal("{+x,+y,+z,-z}", even.SourceLinks(default, new(2, 1, 0)).ToString());
        Assert.Equal(LinkSet.None, even.SourceLinks(new(1, 2, 3), new(1, 2, 3)));
        Assert.Equal((LinkSet)Link.Local, even.NextHop(default, default, Link.XPlus));

        DisjointPaths pair = DisjointPaths.For(new TorusShape(2, 3, 1, false));
        Assert.Equal("{-x,+y}", pair.SourceLinks(new(1, 0, 0), new(1, 1, 0)).ToString());
        DisjointPaths two = DisjointPaths.For(new TorusShape(2, 3, 1));
        Assert.Equal("{+x,+y}", two.SourceLinks(default, new(0, 1, 0)).ToString());
    }

    [Fact]
    public void A_hop_goes_straight_on_never_back_and_passes_over_links_that_are_not_usable()
    {
        DisjointPaths paths = DisjointPaths.For(new TorusShape(6, 6, 6));
        Coordinate at = new(1, 1, 1);
        Assert.Equal((LinkSet)Link.XPlus, paths.NextHop(at, new(3, 3, 3), Link.XMinus));
        Assert.Equal((LinkSet)Link.XMinus, paths.NextHop(at, new(4, 3, 3), Link.XPlus));
        Assert.Equal((LinkSet)Link.YPlus, paths.NextHop(at, new(0, 3, 3), Link.XMinus));
        LinkSet noY = LinkSet.AllCables - Link.YPlus;
        Assert.Equal((LinkSet)Link.ZPlus, paths.NextHop(at, new(0, 3, 3), Link.XMinus, noY));
        Assert.Equal(LinkSet.None, paths.NextHop(at, new(0, 3, 1), Link.XMinus, noY));
        Assert.Equal((LinkSet)Link.XPlus, paths.NextHop(at, new(3, 3, 3), Link.Local));
    }

    [Fact]
    public void Questions_of_a_hop_allocate_nothing()
    {
        DisjointPaths paths = DisjointPaths.For(new TorusShape(4, 3, 2));
        int sum = 0;
        Allocations.AssertNone(() =>
        {
            for (int rank = 0; rank < paths.Shape.Count; rank++)
            {
                Coordinate to = paths.Shape.At(rank);
                sum += paths.SourceLinks(default, to).Bits + paths.NextHop(default, to, Link.YPlus).Bits;
            }
        });
        Assert.True(sum > 0);
    }

    private static void Check(TorusShape shape, Coordinate from)
    {
        DisjointPaths paths = DisjointPaths.For(shape);
        for (int rank = 0; rank < shape.Count; rank++)
        {
            Coordinate to = shape.At(rank);
            List<List<(Coordinate, Link)>> naive = Naive(shape, from, to, Order.Cyclic, bothToAntipode: false);
            Assert.Equal(naive.Select(path => path[0].Item2), Each(paths.SourceLinks(from, to)));
            Coordinate[][] found = paths.Paths(from, to);
            Assert.Equal(naive.Count, found.Length);
            for (int i = 0; i < found.Length; i++)
            {
                Assert.Equal(naive[i].Select(hop => hop.Item1).Append(to), found[i]);
            }
        }
    }

    private static List<Link> Each(LinkSet set)
    {
        var links = new List<Link>();
        foreach (Link link in set)
        {
            links.Add(link);
        }

        return links;
    }

    // The pseudo-code of algorithms.md §3, with other orders to compare.
    private static List<List<(Coordinate From, Link Link)>> Naive(
        TorusShape shape,
        Coordinate from,
        Coordinate to,
        Order order,
        bool bothToAntipode
    )
    {
        var paths = new List<List<(Coordinate, Link)>>();
        if (from == to)
        {
            return paths;
        }

        for (int axis = 0; axis < 3; axis++)
        {
            List<Link> all = Cabled(shape, from, axis),
                shorter = Shorter(shape, from, to, axis);
            IEnumerable<Link> starts =
                shorter.Count > 0 ? (bothToAntipode ? shorter : shorter.Take(1)) : all.Take(shape[axis] > 2 ? 2 : 1);
            foreach (Link start in starts)
            {
                paths.Add(Walk(shape, from, start, to, order));
            }
        }

        return paths;
    }

    private static List<(Coordinate, Link)> Walk(
        TorusShape shape,
        Coordinate from,
        Link start,
        Coordinate to,
        Order order
    )
    {
        var path = new List<(Coordinate, Link)> { (from, start) };
        (Coordinate before, Coordinate at, Link last) = (from, shape.Step(from, start), start);
        while (at != to)
        {
            IEnumerable<int> axes = order switch
            {
                Order.Cyclic => Enumerable.Range(last.Axis(), 3).Select(axis => axis % 3),
                Order.Fixed => [last.Axis(), 0, 1, 2],
                _ => [last.Axis(), .. Enumerable.Range(0, 3).OrderByDescending(axis => shape.Distance(at, to, axis))],
            };
            Link next = axes.SelectMany(axis => Shorter(shape, at, to, axis).OrderByDescending(link => link == last))
                .First(link => shape.Step(at, link) != before);
            path.Add((at, next));
            (before, at, last) = (at, shape.Step(at, next), next);
            Assert.True(path.Count < 100);
        }

        return path;
    }

    private static List<Link> Cabled(TorusShape shape, Coordinate at, int axis) =>
        [.. Each(shape.CabledLinks(at)).Where(link => link.Axis() == axis)];

    private static List<Link> Shorter(TorusShape shape, Coordinate at, Coordinate to, int axis) =>
        [.. Cabled(shape, at, axis).Where(link => shape.Distance(shape.Step(at, link), to) < shape.Distance(at, to))];

    private static List<(Coordinate, Link)> LinksOf(TorusShape shape, Coordinate[] path)
    {
        var links = new List<(Coordinate, Link)>();
        for (int i = 1; i < path.Length; i++)
        {
            (Coordinate from, Coordinate to) = (path[i - 1], path[i]);
            links.Add((from, Each(shape.CabledLinks(from)).First(link => shape.Step(from, link) == to)));
        }

        return links;
    }

    // By trying all subsets.
    private static int MostDisjoint(List<List<(Coordinate, Link)>> paths)
    {
        int most = 0;
        for (int subset = 0; subset < 1 << paths.Count; subset++)
        {
            (Coordinate, Link)[] links =
            [
                .. Enumerable.Range(0, paths.Count).Where(i => (subset >> i & 1) != 0).SelectMany(i => paths[i]),
            ];
            if (links.Distinct().Count() == links.Length)
            {
                most = Math.Max(most, int.PopCount(subset));
            }
        }

        return most;
    }
}
