namespace CamCube.Topology.Tests;

public sealed class DimensionOrderTests
{
    private static readonly int[][] Orders =
    [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];

    public static TheoryData<int, int, int, bool> Shapes =>
        new()
        {
            { 1, 1, 1, true },
            { 2, 1, 1, true },
            { 2, 2, 2, false },
            { 2, 3, 4, true },
            { 5, 4, 3, true },
            { 1, 7, 2, false },
        };

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Every_way_is_a_shortest_one_that_finishes_an_axis_before_it_begins_the_next(
        int x,
        int y,
        int z,
        bool parallel
    )
    {
        var shape = new TorusShape(x, y, z) { ParallelCables = parallel };
        var routes = TorusRoutes.For(shape);
        for (int from = 0; from < shape.Count; from++)
        {
            for (int to = 0; to < shape.Count; to++)
            {
                foreach (int[] order in Orders)
                {
                    Coordinate here = shape.At(from),
                        there = shape.At(to);
                    int hops = 0,
                        place = 0;
                    while (here != there)
                    {
                        LinkSet links = DimensionOrder.NextHops(shape, here, there, order);
                        Assert.Equal(links, links & routes.NextHops(here, there));
                        int axis = links.First.Axis();
                        foreach (Link link in links)
                        {
                            Assert.Equal(axis, link.Axis());
                        }

                        int now = Array.IndexOf(order, axis);
                        Assert.True(now >= place);
                        place = now;
                        here = shape.Step(here, links.First);
                        hops++;
                    }

                    Assert.Equal(routes.Hops(shape.At(from), there), hops);
                    Assert.Equal<LinkSet>(Link.Local, DimensionOrder.NextHops(shape, there, there, order));
                }
            }
        }
    }

    [Fact]
    public void An_axis_whose_links_are_down_is_left_for_later()
    {
        var shape = new TorusShape(5, 5, 5);
        Coordinate here = default,
            there = new(1, 4, 1);
        int[] order = [2, 1, 0];
        Assert.Equal<LinkSet>(Link.ZPlus, DimensionOrder.NextHops(shape, here, there, order, LinkSet.AllCables));
        Assert.Equal<LinkSet>(
            Link.YMinus,
            DimensionOrder.NextHops(shape, here, there, order, LinkSet.AllCables - Link.ZPlus)
        );
        Assert.Equal<LinkSet>(
            Link.XPlus,
            DimensionOrder.NextHops(shape, here, there, order, Link.XPlus | (LinkSet)Link.ZMinus)
        );
        Assert.True(DimensionOrder.NextHops(shape, here, there, order, Link.ZMinus).IsEmpty);
        Assert.Equal<LinkSet>(Link.Local, DimensionOrder.NextHops(shape, here, here, order, LinkSet.None));
    }

    [Fact]
    public void An_order_that_does_not_name_each_axis_once_is_refused()
    {
        foreach (
            int[] order in (int[][])
                [
                    [],
                    [0, 1],
                    [0, 0, 1],
                    [0, 1, 3],
                    [-1, 0, 1],
                    [0, 1, 2, 0],
                ]
        )
        {
            Assert.Throws<ArgumentException>(() =>
                DimensionOrder.NextHops(new TorusShape(3, 3, 3), default, default, order)
            );
        }
    }
}
