namespace CamCube.Topology.Tests;

public sealed class TorusRoutesTests
{
    [Fact]
    public void Next_hops_and_distances_are_those_of_a_search_on_every_small_shape()
    {
        for (int x = 1; x <= 5; x++)
        {
            for (int y = 1; y <= 4; y++)
            {
                for (int z = 1; z <= 3; z++)
                {
                    Check(new TorusShape(x, y, z, true));
                    Check(new TorusShape(x, y, z, false));
                }
            }
        }

        Check(new TorusShape(8, 8, 8));
        Check(new TorusShape(1, 1, 9));
        Check(new TorusShape(2, 7, 6, false));
    }

    [Fact]
    public void Antipodes_of_even_axes_and_axes_of_size_2_offer_all_their_cables()
    {
        TorusRoutes even = TorusRoutes.For(new TorusShape(4, 3, 2));
        Assert.Equal(Link.XPlus | (LinkSet)Link.XMinus, even.NextHops(new(0, 0, 0), new(2, 0, 0)));
        Assert.Equal(Link.ZPlus | (LinkSet)Link.ZMinus, even.NextHops(new(0, 0, 0), new(0, 0, 1)));
        Assert.Equal((LinkSet)Link.YMinus, even.NextHops(new(0, 0, 0), new(0, 2, 0)));
        Assert.Equal((LinkSet)Link.Local, even.NextHops(new(3, 2, 1), new(3, 2, 1)));
        TorusRoutes single = TorusRoutes.For(new TorusShape(4, 3, 2, false));
        Assert.Equal((LinkSet)Link.ZPlus, single.NextHops(new(0, 0, 0), new(0, 0, 1)));
        Assert.Equal((LinkSet)Link.ZMinus, single.NextHops(new(0, 0, 1), new(0, 0, 0)));
    }

    [Fact]
    public void The_longest_ring_is_an_ordinary_shape()
    {
        TorusRoutes ring = TorusRoutes.For(new TorusShape(65_535, 1, 1));
        Assert.Equal((LinkSet)Link.XMinus, ring.NextHops(new(0, 0, 0), new(65_534, 0, 0)));
        Assert.Equal(32_767, ring.Hops(new Coordinate(0, 0, 0), new(32_767, 0, 0)));
        Assert.Same(ring, TorusRoutes.For(new TorusShape(65_535, 1, 1)));
    }

    private static void Check(TorusShape shape)
    {
        var naive = new NaiveCube(shape);
        TorusRoutes routes = TorusRoutes.For(shape);
        for (int to = 0; to < shape.Count; to++)
        {
            int[] distances = naive.DistancesTo(to);
            for (int from = 0; from < shape.Count; from++)
            {
                Assert.Equal(distances[from], routes.Hops(shape.At(from), shape.At(to)));
                Assert.Equal(naive.NextHops(from, to, distances), routes.NextHops(shape.At(from), shape.At(to)));
            }
        }
    }
}
