using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Tests.Faults;

public sealed class ClockTests
{
    [Fact]
    public void Services_of_a_server_read_its_clock_everywhere_and_others_read_their_own()
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        IServer server = cube.ServerOf<Traffic>(1);
        DateTimeOffset before = server.TimeProvider.GetUtcNow();
        cube.SetClock(1, TimeSpan.FromSeconds(5));
        Assert.Equal(5_010_000_000, server.NowNanos);
        Assert.Equal(before + TimeSpan.FromSeconds(5), server.TimeProvider.GetUtcNow());
        Assert.Equal(5_010_000_000, server.TimeProvider.GetTimestamp());
        Assert.Equal(10_000_000, cube.ServerOf<Traffic>(0).NowNanos);
        pair.Send(1);
        Assert.Equal(5_010_000_900, pair.Arrivals[0].At);

        cube.SetClock(1, TimeSpan.Zero);
        pair.Wait(20_000);
        Assert.Equal(cube.NowNanos, server.NowNanos);
        Assert.Equal(3, cube.TopologyOf(0).ReachableCount);
    }

    [Theory]
    [InlineData(1_000_000)]
    [InlineData(-500_000)]
    [InlineData(37)]
    public void Timers_go_by_a_drifting_clock(int drift)
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        cube.SetClock(1, TimeSpan.FromMilliseconds(1), drift);
        IServer server = cube.ServerOf<Traffic>(1);
        var fired = new List<long>();
        ServerTimer relative = server.CreateTimer(() => fired.Add(server.NowNanos)),
            absolute = server.CreateTimer(() => fired.Add(server.NowNanos));
        relative.Arm(TimeSpan.FromMilliseconds(4));
        absolute.ArmAt(11_000_000 + 8_000_000);
        double speed = 1 + (drift / 1e6);
        pair.Wait((4 / speed) - 0.001);
        Assert.Empty(fired);
        pair.Wait(0.002);
        Assert.InRange(Assert.Single(fired), 15_000_000, 15_000_002);
        pair.Wait(4 / speed);
        Assert.InRange(fired[1], 19_000_000, 19_000_002);
        pair.Wait(1_000);
        Assert.Equal(3, cube.TopologyOf(1).ReachableCount);
    }

    [Fact]
    public void A_clock_that_is_set_back_never_runs_backwards_and_its_server_lives_on()
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        pair.Wait(990);
        IServer server = cube.ServerOf<Traffic>(1);
        cube.SetClock(1, TimeSpan.FromMilliseconds(-400));
        long last = 1_000_000_000;
        Assert.Equal(last, server.NowNanos);
        for (int i = 0; i < 100; i++)
        {
            pair.Wait(10);
            Assert.InRange(server.NowNanos, last + 5_000_000, last + 10_000_000);
            last = server.NowNanos;
            Assert.Equal(3, cube.TopologyOf(0).ReachableCount);
        }

        Assert.Equal(cube.NowNanos - 400_000_000, server.NowNanos);
    }

    [Fact]
    public void A_wrong_clock_is_kept_over_a_restart_and_may_be_set_while_the_server_is_down()
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        cube.SetClock(1, TimeSpan.FromSeconds(1));
        cube.Kill(1);
        cube.Revive(1);
        Assert.Equal(cube.NowNanos + 1_000_000_000, cube.ServerOf<Traffic>(1).NowNanos);
        cube.Kill(1);
        cube.SetClock(1, TimeSpan.FromMilliseconds(-5));
        cube.Revive(1);
        Assert.Equal(cube.NowNanos - 5_000_000, cube.ServerOf<Traffic>(1).NowNanos);
        pair.Wait(2_000);
        Assert.Equal(3, cube.TopologyOf(1).ReachableCount);
        Assert.Throws<ArgumentOutOfRangeException>(() => cube.SetClock(1, default, -900_001));
    }

    [Fact]
    public void A_clock_and_its_inverse_agree_for_every_speed()
    {
        var random = new Random(5);
        for (int i = 0; i < 20_000; i++)
        {
            long begin = random.NextInt64(0, 1L << 50),
                target = begin + random.NextInt64(-(1L << 40), 1L << 40);
            var clock = new ServerClock(
                begin,
                target,
                begin + random.NextInt64(-(1L << 40), 1L << 40),
                random.Next(-900_000, 2_000_000)
            );
            long read = clock.Read(begin) + random.NextInt64(-1_000, 1L << 45),
                at = clock.TrueTimeOf(read);
            Assert.True(clock.Read(at) >= read && clock.Read(at - 1) < read, $"step {i}: {read} at {at}");
        }
    }
}
