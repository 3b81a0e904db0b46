using CamCube.Simulator;
using CamCube.Testing;

namespace CamCube.Runtime.Tests.Extended;

/// <summary>F and its keys while nothing fails.</summary>
public sealed class ExtendedRoutingTests
{
    [Fact]
    public void F_is_evaluated_at_the_origin_and_at_each_vertex_and_not_at_the_destination()
    {
        FunctionScript script = new() { Next = AlongX };
        using TestCube cube = Make(new TorusShape(5, 3, 1), script);
        Assert.Equal(SendResult.Accepted, script[0].Launch(new Coordinate(2, 0, 0)));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0,0,0", "1,0,0"], script.Way);
        Assert.Equal(["2,0,0"], script.Ends);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_point_says_where_it_is_who_evaluated_F_last_and_by_which_link_the_packet_came()
    {
        List<string> seen = [];
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                seen.Add(
                    $"{at.Vertex} after {at.LastVertex} by {at.ArrivedOn.Name()} back {at.Back.Name()} origin "
                        + $"{at.IsOrigin} "
                        + $"to {at.Destination.Server} {at.HasDestination} x {at.AxisDistance(at.Destination, 0)} "
                        + $"of {at.Distance(at.Destination)}"
                );
                return AlongX(self, at, packet);
            },
            Arrived = (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                seen.Add($"{at.Vertex} after {at.LastVertex} by {at.ArrivedOn.Name()}");
                return Verdict.Consume;
            },
        };
        using TestCube cube = Make(new TorusShape(5, 3, 1), script);
        script[0].Launch(new Coordinate(2, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(
            [
                "0,0,0 after 0,0,0 by local back local origin True to 2,0,0 True x 2 of 2",
                "1,0,0 after 0,0,0 by -x back -x origin False to 2,0,0 True x 1 of 1",
                "2,0,0 after 1,0,0 by -x",
            ],
            seen
        );
    }

    [Fact]
    public void A_far_key_is_carried_by_base_routing_and_F_is_evaluated_at_its_root()
    {
        Coordinate waypoint = new(2, 2, 0);
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
                at.IsOrigin ? Keys.AnyOf(at.Key.WithCoordinate(waypoint)) : Keys.Base,
        };
        using TestCube cube = Make(new TorusShape(5, 5, 1), script);
        script[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0,0,0", "2,2,0"], script.Way);
        Assert.Equal(["1,0,0"], script.Ends);
        Assert.Equal(7, script.Hops);
        cube.AssertQuiet();
    }

    [Fact]
    public void Of_several_neighbours_the_first_free_link_decides()
    {
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
                at.IsOrigin ? Keys.Neighbours(at, LinkSet.AllCables - Link.ZPlus - Link.ZMinus) : Keys.Here,
        };
        using TestCube cube = Make(new TorusShape(5, 5, 1), script);
        for (int i = 0; i < 8; i++)
        {
            script[12].Launch(Large(script[12]), new Coordinate(4, 4, 0));
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(
            new Dictionary<string, int>
            {
                ["3,2,0"] = 2,
                ["1,2,0"] = 2,
                ["2,3,0"] = 2,
                ["2,1,0"] = 2,
            },
            script.Ends.CountBy(e => e).ToDictionary()
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void Of_several_far_keys_each_packet_reaches_the_one_its_first_link_leads_to_without_detour()
    {
        Coordinate[] places = [new(2, 0, 0), new(5, 0, 0), new(0, 3, 0)];
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                KeySet keys = Keys.AnyOf();
                foreach (Coordinate place in places)
                {
                    keys.Add(at.Key.WithCoordinate(place));
                }

                return at.IsOrigin ? keys : Keys.Here;
            },
        };
        using TestCube cube = Make(new TorusShape(7, 7, 1), script);
        for (int i = 0; i < 6; i++)
        {
            script[0].Launch(Large(script[0]), new Coordinate(5, 5, 0));
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(6, script.Ends.Count);
        Assert.Equal(2, script.Ends.Count(e => e == "2,0,0"));
        Assert.Equal(2, script.Ends.Count(e => e == "5,0,0"));
        Assert.Equal(2, script.Ends.Count(e => e == "0,3,0"));
        Assert.Equal(2 * (2 + 2 + 3), script.Hops);
        cube.AssertQuiet();
    }

    [Fact]
    public void All_of_the_keys_get_a_copy_near_far_and_here()
    {
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                if (!at.IsOrigin)
                {
                    return Keys.Here;
                }

                KeySet keys = Keys.AllOf();
                keys.Add(at.Neighbour(Link.XPlus));
                keys.Add(at.Neighbour(Link.YMinus));
                keys.Add(at.Key.WithCoordinate(new Coordinate(2, 2, 2)));
                keys.Add(at.Key);
                return keys;
            },
            Arrived = static (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                Assert.Equal(7, packet.Body[0]);
                packet.WritableBody()[0] = 1;
                return Verdict.Consume;
            },
        };
        using TestCube cube = Make(new TorusShape(5, 5, 5), script);
        Packet packet = script[0].Rent(100);
        packet.WritableBody().Fill(7);
        script[0].Launch(packet, new Coordinate(4, 4, 4));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0,0,0", "0,4,0", "1,0,0", "2,2,2"], script.Ends.Order(StringComparer.Ordinal));
        cube.AssertQuiet();
    }

    [Fact]
    public void All_of_nothing_consumes_and_all_of_one_needs_no_copy()
    {
        int budget = 0;
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                KeySet keys = Keys.AllOf();
                if (at.IsOrigin)
                {
                    keys.Add(at.Neighbour(Link.XPlus));
                    return keys;
                }

                budget = packet.BodyLength;
                return keys;
            },
        };
        using TestCube cube = Make(new TorusShape(3, 1, 1), script);
        Assert.Equal(SendResult.Accepted, script[0].LaunchSpread(default, 44));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0,0,0", "1,0,0"], script.Way);
        Assert.Empty(script.Ends);
        Assert.Equal(44, budget);
        Assert.Empty(cube[1].Status.Drops);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_vertex_named_by_itself_or_as_a_server_has_been_reached()
    {
        foreach (int way in Enumerable.Range(0, 3))
        {
            FunctionScript script = new()
            {
                Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
                    way switch
                    {
                        0 => Keys.Here,
                        1 => Keys.AnyOf(at.Key),
                        _ => Keys.AnyOf(at.Server),
                    },
            };
            using TestCube cube = Make(new TorusShape(3, 1, 1), script);
            Assert.Equal(SendResult.Accepted, script[0].Launch(new Coordinate(2, 0, 0)));
            Assert.Empty(script.Ends);
            cube.Advance(TimeSpan.FromMilliseconds(1));
            Assert.Equal(["0,0,0"], script.Ends);
            Assert.Equal(Enumerable.Repeat("0,0,0", way == 0 ? 1 : 2), script.Way);
            cube.AssertQuiet();
        }
    }

    [Fact]
    public void A_loop_ends_at_the_hop_limit_and_is_counted()
    {
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
                Keys.AnyOf(at.Neighbour(at.IsOrigin || at.Back == Link.Local ? Link.XPlus : at.Back)),
        };
        using TestCube cube = Make(new TorusShape(4, 4, 1), script);
        script[0].Launch(new Coordinate(2, 2, 0));
        cube.Advance(TimeSpan.FromMilliseconds(5));
        int limit = script[0].Here.Packets.DefaultHopLimit;
        Assert.Equal(1, Enumerable.Range(0, 16).Sum(r => cube[r].DropsOf(DropReason.HopLimit)));
        Assert.Equal(limit + 1, script.Way.Count);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_has_arrived_may_be_turned_round_and_goes_back_by_base_routing()
    {
        int answers = 0;
        FunctionScript script = new()
        {
            Next = AlongX,
            Arrived = static (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                packet.TurnRound(at.Server, 9);
                return Verdict.Forward;
            },
            Base = (FunctionService self, in HopContext hop, Packet packet) =>
            {
                answers += hop.IsDestination ? 1 : 0;
                return hop.IsDestination ? Verdict.Consume : Verdict.Forward;
            },
        };
        using TestCube cube = Make(new TorusShape(5, 3, 1), script);
        script[0].Launch(new Coordinate(2, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, answers);
        Assert.Equal(2, script.Way.Count);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_packet_that_arrived_may_be_sent_on_by_F()
    {
        FunctionScript script = new()
        {
            Next = AlongX,
            Arrived = static (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                if (at.Vertex.X == 3)
                {
                    return Verdict.Consume;
                }

                self.Launch(packet, new Coordinate(3, 0, 0));
                return Verdict.Taken;
            },
        };
        using TestCube cube = Make(new TorusShape(6, 1, 1), script);
        script[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["1,0,0", "3,0,0"], script.Ends);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 1)]
    [InlineData(2, 2, 2)]
    [InlineData(1, 4, 2)]
    [InlineData(3, 3, 3)]
    public void Every_pair_of_every_shape_is_connected_by_F(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z);
        foreach (bool parallel in (bool[])[true, false])
        {
            FunctionScript script = new()
            {
                Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
                    Keys.Neighbours(at, at.Topology.NextHops(at.Destination)),
            };
            using TestCube cube = Make(shape with { ParallelCables = parallel }, script);
            List<string> expected = [];
            for (int from = 0; from < shape.Count; from++)
            {
                for (int to = 0; to < shape.Count; to++)
                {
                    Assert.Equal(SendResult.Accepted, script[from].Launch(shape.At(to)));
                    Assert.Equal(SendResult.Accepted, script[from].Launch(default(Key).WithCoordinate(shape.At(to))));
                    expected.Add($"{shape.At(to)}");
                    expected.Add($"{shape.At(to)}");
                }

                cube.Advance(TimeSpan.FromMilliseconds(1));
            }

            Assert.Equal(expected.Order(StringComparer.Ordinal), script.Ends.Order(StringComparer.Ordinal));
            cube.AssertQuiet();
        }
    }

    [Fact]
    public void A_seed_gives_one_hash_on_one_thread_and_on_two()
    {
        ulong[] hashes = [Run(1), Run(1), Run(2)];
        Assert.Equal(hashes[0], hashes[1]);
        Assert.NotEqual(hashes[0], hashes[2]);
        Assert.Equal(Run(1, kill: false), Run(1, kill: false, threads: 2));
    }

    private static ulong Run(ulong seed, bool kill = true, int threads = 1)
    {
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
                Keys.Neighbours(at, at.Topology.NextHops(at.Destination)),
            Silent = true,
        };
        using var cube = new SimulatedCube(
            new TorusShape(3, 3, 3),
            [script.Define()],
            new() { Seed = seed, Threads = threads }
        );
        Random random = script[0].Here.Random.Create("test");
        for (int i = 0; i < 300; i++)
        {
            script[random.Next(27)].Launch(cube.Shape.At(random.Next(27)));
        }

        if (kill)
        {
            cube.Kill(13);
        }

        cube.Advance(TimeSpan.FromMilliseconds(500));
        Assert.True(script.Running.Values.Sum(s => s.Arrivals) > 250);
        return cube.TraceHash;
    }

    private static KeySet AlongX(FunctionService self, in RoutingPoint at, Packet packet) =>
        Keys.AnyOf(at.Neighbour(Link.XPlus));

    private static Packet Large(FunctionService service)
    {
        Packet packet = service.Rent();
        packet.VirtualLength = 8_000;
        return packet;
    }

    private static TestCube Make(TorusShape shape, FunctionScript script)
    {
        TestCube cube = new TestCube(shape).Add(script.Define());
        _ = cube.Cube;
        return cube;
    }
}
