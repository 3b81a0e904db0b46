using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tests.Faults;

public sealed class PauseTests
{
    [Fact]
    public void Nothing_happens_at_a_paused_server_until_the_end_and_then_all_of_it_in_order()
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        var fired = new List<long>();
        IServer server = cube.ServerOf<Traffic>(1);
        server.CreateTimer(() => fired.Add(server.NowNanos)).ArmAt(10_300_000);
        server.CreateTimer(() => fired.Add(server.NowNanos)).ArmAt(11_700_000);
        cube.Pause(1, TimeSpan.FromMilliseconds(1));
        Assert.True(cube.IsPaused(1));
        pair.Send(5);
        pair.Wait(0.9);
        Assert.Empty(pair.Arrivals);
        Assert.Empty(fired);
        pair.Wait(1);
        Assert.False(cube.IsPaused(1));
        Assert.Equal(Enumerable.Range(0, 5).Select(i => (11_000_000L, Link.XMinus, (long)i)), pair.Arrivals);
        Assert.Equal([11_000_000L, 11_700_000], fired);
        pair.Send(1, first: 9);
        Assert.Equal(9, pair.Arrivals[^1].Number);
        Assert.Equal(cube.NowNanos - 2_000 + 900, pair.Arrivals[^1].At);
    }

    [Fact]
    public void Others_go_on_and_a_long_pause_is_taken_for_a_death_and_forgiven()
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        cube.Pause(1, TimeSpan.FromSeconds(1));
        cube.Service<Traffic>(0).SendVia(Link.XMinus);
        pair.Wait(900);
        Assert.Single(cube.Service<Traffic>(2).Arrivals);
        Assert.Equal(2, cube.TopologyOf(0).ReachableCount);
        Assert.Equal(2, cube.TopologyOf(2).ReachableCount);
        pair.Wait(1_100);
        Assert.All(Enumerable.Range(0, 3), rank => Assert.Equal(3, cube.TopologyOf(rank).ReachableCount));
    }

    [Fact]
    public void A_paused_servers_rings_fill_and_the_rest_is_dropped_there()
    {
        using var pair = new FaultyPair(options: new SimulatorOptions { ReceiveLimit = 10 });
        pair.Cube.Pause(1, TimeSpan.FromMilliseconds(1));
        pair.Send(25);
        pair.Wait(2);
        Assert.Equal(Enumerable.Range(0, 10).Select(i => (long)i), pair.Numbers);
        Assert.Equal(15, pair.Cube.DropsOf(1, DropReason.ReceiveFull));
    }

    [Fact]
    public void What_a_paused_server_had_queued_leaves_after_the_pause()
    {
        using var pair = new FaultyPair();
        pair.Burst(3, 1_000 - FaultyPair.Least);
        pair.Cube.Pause(0, TimeSpan.FromMilliseconds(1));
        pair.Wait(2);

        // The first was on the cable already.
        Assert.Equal([10_008_500L, 11_008_500, 11_016_500], pair.Arrivals.Select(a => a.At));
    }

    [Fact]
    public void A_server_that_stops_while_it_is_paused_starts_without_a_pause()
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        cube.Pause(1, TimeSpan.FromMinutes(10));
        cube.Kill(1);
        Assert.Throws<InvalidOperationException>(() => cube.Pause(1, TimeSpan.FromSeconds(1)));
        cube.Revive(1);
        Assert.False(cube.IsPaused(1));
        pair.Wait(2_000);
        Assert.Equal(3, cube.TopologyOf(1).ReachableCount);
        Assert.Throws<ArgumentOutOfRangeException>(() => cube.Pause(1, TimeSpan.FromTicks(-1)));
    }
}
