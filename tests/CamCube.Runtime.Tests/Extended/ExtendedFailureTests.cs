using CamCube.Testing;

namespace CamCube.Runtime.Tests.Extended;

/// <summary>F and its keys when servers and cables fail.</summary>
public sealed class ExtendedFailureTests
{
    private static readonly Coordinate A = new(1, 0, 0),
        B = new(2, 0, 0),
        Far = new(4, 4, 0);

    [Fact]
    public void The_stand_in_of_a_dead_vertex_evaluates_F_as_that_vertex()
    {
        FunctionScript script = new() { Next = AlongX };
        using TestCube cube = Make(script, A);
        Key key = default(Key).WithCoordinate(A);
        Coordinate standIn = script[0].Here.Topology.RootOf(key);
        Assert.NotEqual(A, standIn);
        script[0].Launch(new Coordinate(3, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0,0,0", $"1,0,0 ({standIn})", "2,0,0"], script.Way);
        Assert.Equal(["3,0,0"], script.Ends);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_packet_whose_intermediate_server_dies_on_the_way_survives_through_the_new_root()
    {
        Coordinate waypoint = new(4, 2, 0);
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
                at.IsOrigin ? Keys.AnyOf(at.Key.WithCoordinate(waypoint)) : Keys.Base,
        };
        using TestCube cube = new TestCube(9, 9, 1, new() { LinkDelayNanos = 60_000_000 }).Add(script.Define());
        _ = cube.Cube;
        cube.AwaitConverged();
        script[0].Launch(new Coordinate(8, 8, 0));
        cube.Advance(TimeSpan.FromMilliseconds(30));
        cube.Kill(waypoint);
        cube.Advance(TimeSpan.FromSeconds(3));
        Coordinate standIn = script[0].Here.Topology.RootOf(default(Key).WithCoordinate(waypoint));
        Assert.Equal(["0,0,0", $"4,2,0 ({standIn})"], script.Way);
        Assert.Equal(["8,8,0"], script.Ends);
    }

    [Fact]
    public void Any_of_leaves_out_a_dead_vertex_while_another_lives()
    {
        FunctionScript script = new() { Next = XOrY };
        using TestCube cube = Make(script, A);
        for (int i = 0; i < 6; i++)
        {
            script[0].Launch(Far);
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(Enumerable.Repeat("0,1,0", 6), script.Ends);
        cube.AssertQuiet();
    }

    [Fact]
    public void Any_of_dead_vertices_goes_to_their_stand_ins()
    {
        FunctionScript script = new() { Next = XOrY };
        using TestCube cube = Make(script, A, new Coordinate(0, 1, 0));
        script[0].Launch(Far);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        string end = Assert.Single(script.Ends);
        Assert.Contains("(", end, StringComparison.Ordinal);
        cube.AssertQuiet();
    }

    [Fact]
    public void All_of_reaches_the_stand_in_of_a_dead_vertex_and_counts_servers_that_are_gone()
    {
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                if (!at.IsOrigin)
                {
                    return Keys.Here;
                }

                KeySet keys = Keys.AllOf();
                keys.Add(at.Neighbour(Link.XPlus));
                keys.Add(at.Neighbour(Link.YPlus));
                keys.Add(A);
                keys.Add(at.Key);
                return keys;
            },
        };
        using TestCube cube = Make(script, A);
        script[0].LaunchSpread(default);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Coordinate standIn = script[0].Here.Topology.RootOf(default(Key).WithCoordinate(A));
        Assert.Equal(
            new[] { "0,0,0", "0,1,0", $"1,0,0 ({standIn})" }.Order(StringComparer.Ordinal),
            script.Ends.Order(StringComparer.Ordinal)
        );
        Assert.Equal(1, Unreachable(cube, 0));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void With_no_key_reachable_base_routing_takes_it_to_its_destination(bool all)
    {
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                KeySet keys = all ? Keys.AllOf() : Keys.AnyOf();
                keys.Add(A);
                keys.Add(B);
                return keys;
            },
        };
        using TestCube cube = Make(script, A, B);
        Assert.Equal(SendResult.Accepted, script[0].Launch(Far));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0,0,0"], script.Way);
        Assert.Equal(["4,4,0"], script.Ends);
        Assert.Equal(2, Unreachable(cube, 0));
        cube.AssertQuiet();
    }

    [Fact]
    public void With_no_key_reachable_and_no_destination_it_is_dropped_and_counted()
    {
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
                at.IsOrigin && at.Vertex.X == 0 ? Keys.AnyOf(at.Neighbour(Link.YPlus)) : Keys.AnyOf(A),
        };
        using TestCube cube = Make(script, A);
        Assert.Equal(SendResult.NoRoute, script[2].LaunchSpread(default(Key).WithCoordinate(B)));
        Assert.Equal(SendResult.Accepted, script[0].LaunchSpread(default));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, Counter(cube, 2, "routing.dropped-at-origin"));
        Assert.Equal(1, cube[new Coordinate(0, 1, 0)].DropsOf(DropReason.NoRoute));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_packet_for_a_server_that_is_gone_is_dropped_wherever_that_is_known()
    {
        FunctionScript script = new() { Next = AlongX };
        using TestCube cube = Make(script, B);
        Assert.Equal(SendResult.NoRoute, script[0].Launch(B));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Empty(script.Way);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_server_that_is_cut_off_plays_every_vertex_itself_and_two_that_name_one_another_end_at_the_hop_limit()
    {
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
                packet.BodyLength == 0
                    ? AlongX(self, at, packet)
                    : Keys.AnyOf(at.Neighbour(at.Vertex.X == 0 ? Link.XPlus : Link.XMinus)),
        };
        using TestCube cube = Make(new TorusShape(4, 1, 1), script);
        cube.CutOff(default);
        cube.AwaitConverged();
        script.Way.Clear();
        script[0].LaunchSpread(default);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0,0,0", "1,0,0 (0,0,0)", "2,0,0 (0,0,0)"], script.Way.Take(3));
        Assert.Equal(script[0].Here.Packets.DefaultHopLimit + 1, script.Way.Count);
        script.Way.Clear();
        script[0].LaunchSpread(default, body: 1);
        Assert.Equal(["0,0,0", "1,0,0 (0,0,0)", "0,0,0"], script.Way.Take(3));
        Assert.Equal(2, Counter(cube, 0, "routing.dropped-at-origin"));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_cut_cable_between_neighbours_costs_a_detour_and_no_packet()
    {
        FunctionScript script = new() { Next = AlongX };
        using TestCube cube = Make(script);
        cube.Cut(default, Link.XPlus);
        cube.AwaitConverged();
        script[0].Launch(B);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0,0,0", "1,0,0"], script.Way);
        Assert.Equal(["2,0,0"], script.Ends);
        Assert.Equal(4, script.Hops);
        cube.AssertQuiet();
    }

    [Fact]
    public void Packets_through_dying_and_returning_servers_arrive_or_are_counted()
    {
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
                Keys.Neighbours(at, at.Topology.NextHops(at.Destination)),
        };
        using TestCube cube = new TestCube(4, 4, 2).Add(script.Define());
        _ = cube.Cube;
        var random = new Random(1);
        int sent = 0,
            refused = 0;
        for (int round = 0; round < 60; round++)
        {
            int victim = random.Next(cube.Shape.Count);
            if (cube[victim].IsRunning && round % 2 == 0)
            {
                cube.Kill(cube.Shape.At(victim));
            }
            else if (round % 2 == 1)
            {
                Enumerable.Range(0, cube.Shape.Count).ToList().ForEach(r => cube.Revive(cube.Shape.At(r)));
            }

            for (int i = 0; i < 40; i++)
            {
                int from = random.Next(cube.Shape.Count);
                if (cube[from].IsRunning)
                {
                    sent++;
                    refused += script[from].Launch(Key.OfName($"{round} {i}")) == SendResult.Accepted ? 0 : 1;
                }
            }

            cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 300)));
        }

        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.True(script.Ends.Count > sent * 0.9, $"{script.Ends.Count} of {sent} arrived, {refused} refused");
        cube.AssertQuiet();
    }

    private static KeySet AlongX(FunctionService self, in RoutingPoint at, Packet packet) =>
        Keys.AnyOf(at.Neighbour(Link.XPlus));

    private static KeySet XOrY(FunctionService self, in RoutingPoint at, Packet packet) =>
        at.IsOrigin ? Keys.Neighbours(at, (LinkSet)Link.XPlus | Link.YPlus) : Keys.Here;

    private static long Unreachable(TestCube cube, int rank) => Counter(cube, rank, "routing.unreachable-keys");

    private static long Counter(TestCube cube, int rank, string name) =>
        cube[rank].Status.Services.SelectMany(s => s.Counters).Single(c => c.Name == name).Value;

    // 5 x 5 servers that know of the dead ones.
    private static TestCube Make(FunctionScript script, params Coordinate[] dead)
    {
        TestCube cube = Make(new TorusShape(5, 5, 1), script);
        Array.ForEach(dead, cube.Kill);
        cube.AwaitConverged();
        return cube;
    }

    private static TestCube Make(TorusShape shape, FunctionScript script)
    {
        TestCube cube = new TestCube(shape).Add(script.Define());
        _ = cube.Cube;
        return cube;
    }
}
