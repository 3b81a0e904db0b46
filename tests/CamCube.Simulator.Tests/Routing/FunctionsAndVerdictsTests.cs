using CamCube.Runtime.Services;
using CamCube.Services.Workloads.Routing;
using CamCube.Testing;

namespace CamCube.Simulator.Tests.Routing;

/// <summary>The papers' routings as F of extended routing and as verdicts of their own do the same (SIGCOMM
/// §7).</summary>
public sealed class FunctionsAndVerdictsTests
{
    public static TheoryData<int, int, int> Shapes =>
        new()
        {
            { 1, 1, 1 },
            { 2, 1, 1 },
            { 1, 2, 6 },
            { 3, 3, 3 },
            { 8, 4, 2 },
        };

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Link_disjoint_paths_carry_as_much(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z, parallelCables: false);
        Coordinate to = shape.At(shape.Count - 1);
        long function = Transfer(shape, to, s => new LinkDisjointService(s)),
            native = Transfer(shape, to, s => new LinkDisjointNativeService(s));
        Assert.True(native > 0);
        Assert.InRange(function, native * 0.95, native * 1.05);
    }

    [Fact]
    public void Link_disjoint_paths_fill_five_links_to_a_server_straight_ahead()
    {
        var shape = new TorusShape(5, 5, 5);
        long function = Transfer(shape, new Coordinate(2, 0, 0), s => new LinkDisjointService(s));
        long shortest = Transfer(shape, new Coordinate(2, 0, 0), s => new ShortestPathService(s));
        Assert.InRange(function, shortest * 4.6, shortest * 5.1);
    }

    [Fact]
    public void A_key_does_not_say_which_of_two_parallel_cables_so_F_uses_both()
    {
        var shape = new TorusShape(2, 1, 1);
        long function = Transfer(shape, new Coordinate(1, 0, 0), s => new LinkDisjointService(s));
        long native = Transfer(shape, new Coordinate(1, 0, 0), s => new LinkDisjointNativeService(s));
        Assert.InRange(function, native * 1.9, native * 2.1);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Mini_cube_joins_make_trees_of_as_many_links_that_reach_every_member_once(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z);
        (int functionLinks, long[] functionReceived) = Tree(shape, s => new MiniCubeService(s));
        (int nativeLinks, long[] nativeReceived) = Tree(shape, s => new MiniCubeNativeService(s));
        Assert.Equal(nativeLinks, functionLinks);
        Assert.Equal(nativeReceived, functionReceived);
        Assert.Equal(Members(shape).Distinct().Count(), functionReceived.Sum());
        Assert.All(Members(shape), member => Assert.Equal(1, functionReceived[member]));
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Cache_lookups_take_as_many_hops_and_spare_the_root_as_much(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z);
        foreach (int copies in (int[])[0, 2])
        {
            var options = new CacheRoutingOptions(20, copies);
            CacheRoutingCounts[] function = Lookups(shape, s => new CacheRoutingService(s, options));
            CacheRoutingCounts[] native = Lookups(shape, s => new CacheRoutingNativeService(s, options));
            Assert.Equal(shape.Count * 20 * 2, function.Sum(c => c.Answered));
            Assert.Equal(native.Select(c => c.Answered), function.Select(c => c.Answered));
            Assert.Equal(native.Select(c => c.Served), function.Select(c => c.Served));
            Assert.Equal(
                native.Select(c => c.ServedAsRoot.Values.Sum()),
                function.Select(c => c.ServedAsRoot.Values.Sum())
            );
            Assert.Equal(native.Select(c => c.ServedHops), function.Select(c => c.ServedHops));
        }
    }

    [Fact]
    public void A_multicast_survives_the_death_of_an_inner_vertex_after_members_join_again()
    {
        var shape = new TorusShape(5, 5, 1);
        using TestCube cube = new TestCube(shape).Add(s => new MiniCubeService(s));
        Key tree = default;
        Coordinate member = new(2, 2, 0),
            inner = new(1, 2, 0);
        cube[member].Service<IMulticastTree>().Join(tree);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        foreach (Coordinate dead in (Coordinate[])[inner, new(1, 1, 0), new(2, 1, 0)])
        {
            cube.Kill(dead);
        }

        cube.AwaitConverged();
        cube[0].Service<IMulticastTree>().Publish(tree);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(0, cube[member].Service<IMulticastTree>().Received);

        // The stand-ins of the dead vertices are in the tree from now on.
        cube[new Coordinate(3, 2, 0)].Service<IMulticastTree>().Join(tree);
        cube[new Coordinate(2, 3, 0)].Service<IMulticastTree>().Join(tree);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube[0].Service<IMulticastTree>().Publish(tree);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, cube[new Coordinate(3, 2, 0)].Service<IMulticastTree>().Received);
        Assert.Equal(1, cube[new Coordinate(2, 3, 0)].Service<IMulticastTree>().Received);
        cube.AssertQuiet();
    }

    private static int[] Members(TorusShape shape) =>
        [.. Enumerable.Range(0, 8).Select(i => ((i * 13) + 2) % shape.Count).Distinct()];

    private static long Transfer<T>(TorusShape shape, Coordinate to, Func<IServer, T> create)
        where T : class, ICamCubeService
    {
        using TestCube cube = new TestCube(shape).Add(create, new QueueOptions { LimitPackets = 50 });
        cube[0].Service<ITransfer>().Begin(to);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        long before = cube[to].Service<ITransfer>().ReceivedBytes;
        cube.Advance(TimeSpan.FromMilliseconds(4));
        long bytes = cube[to].Service<ITransfer>().ReceivedBytes - before;
        cube[0].Service<ITransfer>().End();
        cube.AssertQuiet();
        return bytes;
    }

    private static (int Links, long[] Received) Tree<T>(TorusShape shape, Func<IServer, T> create)
        where T : class, ICamCubeService
    {
        using TestCube cube = new TestCube(shape).Add(create);
        Key tree = default(Key).WithCoordinate(shape.At(shape.Count / 2));
        foreach (int member in Members(shape))
        {
            cube[member].Service<IMulticastTree>().Join(tree);
            cube.Advance(TimeSpan.FromMilliseconds(0.2));
        }

        cube[tree.HomeIn(shape)].Service<IMulticastTree>().Publish(tree);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertQuiet();
        IMulticastTree[] all = [.. Enumerable.Range(0, shape.Count).Select(r => cube[r].Service<IMulticastTree>())];
        return (all.Sum(t => t.ChildLinks), [.. all.Select(t => t.Received)]);
    }

    private static CacheRoutingCounts[] Lookups<T>(TorusShape shape, Func<IServer, T> create)
        where T : class, ICamCubeService
    {
        using TestCube cube = new TestCube(shape).Add(create);
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < shape.Count * 20; i++)
            {
                cube[i % shape.Count].Service<ICacheRouting>().Lookup(i * 7 % 20);
                cube.Advance(TimeSpan.FromMilliseconds(0.05));
            }
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertQuiet();
        return [.. Enumerable.Range(0, shape.Count).Select(r => cube[r].Service<ICacheRouting>().Counts)];
    }
}
