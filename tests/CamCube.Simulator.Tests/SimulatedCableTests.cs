using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tests;

public sealed class SimulatedCableTests
{
    private const int Header = Packet.FrameOverhead + 8;

    [Theory]
    [InlineData(1_000_000_000, 500)]
    [InlineData(10_000_000_000, 500)]
    [InlineData(100_000_000, 100)]
    [InlineData(1_000_000, 1_000_000)]
    public void A_frame_arrives_after_its_serialisation_and_the_delay_to_the_nanosecond(long rate, long delay)
    {
        using SimulatedCube cube = Make(
            new TorusShape(3, 1, 1),
            new SimulatorOptions { LinkBitsPerSecond = rate, LinkDelayNanos = delay }
        );
        cube.AdvanceTo(40_000_000);
        foreach (int length in (int[])[Header, 100, 1_514, 9_014])
        {
            Traffic from = cube.Service<Traffic>(0),
                to = cube.Service<Traffic>(1);
            long begin = cube.NowNanos;
            to.Arrivals.Clear();
            from.SendVia(Link.XPlus, length - Header);
            cube.AdvanceTo(begin + (100_000 * 8_000_000_000L / rate) + delay);
            Assert.Equal(begin + (length * 8_000_000_000L / rate) + delay, Assert.Single(to.Arrivals).At);
        }
    }

    [Fact]
    public void Who_sleeps_until_packets_move_and_looks_at_no_timer_misses_none()
    {
        // As a live cube does, whose timers may wait.
        using SimulatedCube cube = Make(
            new TorusShape(5, 1, 1),
            new SimulatorOptions { LinkBitsPerSecond = 20_000_000 }
        );
        cube.AdvanceTo(40_000_000);
        for (int i = 0; i < 8; i++)
        {
            cube.Service<Traffic>(0).Send(new Coordinate(2, 0, 0), 9_014 - Header, i);
        }

        HashSet<long> wakes = [];
        for (long next; (next = cube.NextEventButTimers) < 100_000_000; )
        {
            Assert.True(wakes.Add(next));
            cube.AdvanceTo(next);
        }

        List<(long At, Link Link, long Number)> arrivals = cube.Service<Traffic>(2).Arrivals;
        Assert.Equal(8, arrivals.Count);
        Assert.All(arrivals, one => Assert.Contains(one.At, wakes));
        Assert.InRange(cube.NextEventButTimers, cube.NowNanos + 1, long.MaxValue);
    }

    [Fact]
    public void Frames_follow_one_another_without_gaps_and_hop_by_hop()
    {
        using SimulatedCube cube = Make(new TorusShape(7, 1, 1));
        cube.AdvanceTo(10_000_000);
        for (int i = 0; i < 5; i++)
        {
            cube.Service<Traffic>(0).Send(new Coordinate(2, 0, 0), 1_000 - Header, i);
        }

        cube.AdvanceTo(11_000_000);
        List<(long At, Link Link, long Number)> arrivals = cube.Service<Traffic>(2).Arrivals;

        // 8,000 ns per frame and cable, 500 ns per cable; the second cable works while the first carries the next
        // frame.
        Assert.Equal(
            Enumerable.Range(0, 5).Select(i => (10_000_000L + (2 * 8_500) + (8_000 * i), Link.XMinus, (long)i)),
            arrivals
        );
    }

    [Fact]
    public void The_receive_side_is_bounded_and_drops_are_counted_there()
    {
        using SimulatedCube cube = Make(
            new TorusShape(2, 1, 1),
            new SimulatorOptions { ReceiveLimit = 3, LinkDelayNanos = 1_000_000 }
        );
        for (int i = 0; i < 10; i++)
        {
            cube.Service<Traffic>(0).SendVia(Link.XPlus, 100, i);
        }

        cube.AdvanceTo(5_000_000);
        Assert.True(cube.DropsOf(1, DropReason.ReceiveFull) >= 7, $"{cube.DropsOf(1, DropReason.ReceiveFull)}");
        Assert.True(cube.Service<Traffic>(1).Arrivals.Count <= 3);
    }

    [Fact]
    public void A_cable_cut_one_way_loses_one_way_and_a_cut_cable_both_ways_until_it_is_mended()
    {
        using SimulatedCube cube = Make(new TorusShape(3, 1, 1));
        cube.CutOneWay(0, Link.XPlus);
        Assert.True(cube.IsCut(0, Link.XPlus));
        Assert.False(cube.IsCut(1, Link.XMinus));
        Assert.Equal((0, 1), Exchange(cube));
        cube.Cut(0, Link.XPlus);
        Assert.True(cube.IsCut(1, Link.XMinus));
        Assert.Equal((0, 0), Exchange(cube));
        cube.Mend(1, Link.XMinus);
        Assert.Equal((1, 1), Exchange(cube));
        Assert.True(cube.LostOnCables >= 3);
    }

    [Fact]
    public void What_is_on_the_cable_when_it_is_cut_still_arrives_and_what_is_on_its_way_to_a_killed_server_is_lost()
    {
        using SimulatedCube cube = Make(new TorusShape(4, 1, 1), new SimulatorOptions { LinkDelayNanos = 10_000 });
        cube.Service<Traffic>(0).SendVia(Link.XPlus);
        cube.AdvanceTo(1_000);
        cube.Cut(0, Link.XPlus);
        cube.AdvanceTo(50_000);
        Assert.Single(cube.Service<Traffic>(1).Arrivals);

        long before = cube.LostOnCables;
        cube.Service<Traffic>(3).SendVia(Link.XMinus, number: 1);
        cube.Service<Traffic>(2).SendVia(Link.XPlus, number: 2);
        cube.AdvanceTo(51_000);
        cube.Kill(2);
        Assert.False(cube.IsRunning(2));
        cube.Service<Traffic>(3).SendVia(Link.XMinus, number: 3);
        cube.AdvanceTo(100_000);
        Assert.True(cube.LostOnCables >= before + 2, $"{cube.LostOnCables - before} lost");
        Assert.Equal(2, Assert.Single(cube.Service<Traffic>(3).Arrivals).Number);
        Assert.Throws<InvalidOperationException>(() => cube.Service<Traffic>(2));
    }

    [Fact]
    public void A_server_that_returns_has_a_larger_incarnation_empty_memory_and_nothing_of_before()
    {
        using SimulatedCube cube = Make(new TorusShape(3, 1, 1));
        ulong last = 0;
        for (int i = 0; i < 5; i++)
        {
            IServer server = cube.ServerOf<Traffic>(1);
            Assert.True(server.Incarnation > last);
            Assert.Equal(server.Incarnation, cube.StatusOf(1).Incarnation);
            last = server.Incarnation;
            Assert.True(server.Packets.TryRent(100, out _));
            cube.Advance(TimeSpan.FromMilliseconds(5));
            cube.Service<Traffic>(0).SendVia(Link.XPlus);
            cube.Kill(1);
            cube.Kill(1);
            Assert.Equal(Runtime.Cubes.ServerState.Stopped, cube.StatusOf(1).State);
            cube.Revive(1);
            cube.Revive(1);
            Assert.Empty(cube.Service<Traffic>(1).Arrivals);
            Assert.Equal(0, cube.StatusOf(1).PacketsInUse);
        }

        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(3, cube.TopologyOf(1).ReachableCount);
        Assert.Empty(cube.Service<Traffic>(1).Arrivals);
    }

    [Fact]
    public void Every_server_may_die_and_return_again_and_again_under_traffic_and_nothing_leaks()
    {
        using SimulatedCube cube = Make(new TorusShape(3, 3, 3));
        for (int rank = 0; rank < 27; rank++)
        {
            cube.Service<Traffic>(rank).Begin();
        }

        for (int i = 0; i < 27; i++)
        {
            cube.Advance(TimeSpan.FromMilliseconds(7));
            cube.Kill(i * 7 % 27);
            cube.Advance(TimeSpan.FromMilliseconds(i));
            cube.Revive(i * 7 % 27);
            cube.Service<Traffic>(i * 7 % 27).Begin();
        }

        for (int rank = 0; rank < 27; rank++)
        {
            cube.Kill(rank);
        }

        Assert.True(cube.PacketsOutstanding == 0, cube.DescribeOutstanding());
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, cube.PacketsOutstanding);
    }

    [Fact]
    public void Options_that_cannot_be_simulated_are_refused_by_name()
    {
        foreach (
            (string name, SimulatorOptions options) in new (string, SimulatorOptions)[]
            {
                (nameof(SimulatorOptions.LinkDelayNanos), new SimulatorOptions { LinkDelayNanos = 99 }),
                (nameof(SimulatorOptions.LinkDelayNanos), new SimulatorOptions { LinkDelayNanos = -1 }),
                (nameof(SimulatorOptions.LinkBitsPerSecond), new SimulatorOptions { LinkBitsPerSecond = 0 }),
                (nameof(SimulatorOptions.LinkBitsPerSecond), new SimulatorOptions { LinkBitsPerSecond = -5 }),
                (nameof(SimulatorOptions.ReceiveLimit), new SimulatorOptions { ReceiveLimit = 0 }),
                (nameof(SimulatorOptions.MaxFrameLength), new SimulatorOptions { MaxFrameLength = 100 }),
                (nameof(SimulatorOptions.MaxFrameLength), new SimulatorOptions { MaxFrameLength = 70_000 }),
            }
        )
        {
            ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() =>
                Make(new TorusShape(2, 1, 1), options)
            );
            Assert.Contains(name, e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Time_does_not_run_backwards()
    {
        using SimulatedCube cube = Make(new TorusShape(2, 1, 1));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Throws<ArgumentOutOfRangeException>(() => cube.AdvanceTo(5));
        Assert.Throws<ArgumentOutOfRangeException>(() => cube.Advance(TimeSpan.FromTicks(-1)));
        cube.Advance(TimeSpan.Zero);
        Assert.Equal(1_000_000, cube.NowNanos);
    }

    private static (int AtNext, int AtZero) Exchange(SimulatedCube cube)
    {
        Traffic zero = cube.Service<Traffic>(0),
            next = cube.Service<Traffic>(1);
        zero.Arrivals.Clear();
        next.Arrivals.Clear();
        zero.SendVia(Link.XPlus);
        next.SendVia(Link.XMinus);
        cube.Advance(TimeSpan.FromMicroseconds(20));
        return (next.Arrivals.Count, zero.Arrivals.Count);
    }

    private static SimulatedCube Make(TorusShape shape, SimulatorOptions? options = null) =>
        new(shape, [Traffic.Define()], options);
}
