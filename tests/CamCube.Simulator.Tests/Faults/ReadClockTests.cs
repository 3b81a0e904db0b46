using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Simulator.Live;
using CamCube.Testing;

namespace CamCube.Simulator.Tests.Faults;

/// <summary>The clock of now, and a server that stands still in front of it.</summary>
public sealed class ReadClockTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Fact]
    public void It_is_the_steps_time_as_long_as_nothing_stands_still_and_goes_by_the_servers_clock()
    {
        using var pair = new FaultyPair();
        IServer server = pair.Cube.ServerOf<Traffic>(1);
        Assert.Equal(server.NowNanos, server.Loop.ReadClock());
        pair.Cube.SetClock(1, TimeSpan.FromSeconds(5), 1_000_000);
        pair.Wait(10);
        Assert.Equal(server.NowNanos, server.Loop.ReadClock());
        Assert.Equal(5_030_000_000, server.Loop.ReadClock());
    }

    [Fact]
    public void A_server_stands_still_in_front_of_it_once_and_what_it_sends_leaves_afterwards()
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        IServer server = cube.ServerOf<Traffic>(0);
        var seen = new List<(long Before, long Clock, long After)>();
        var late = new List<long>();
        ServerTimer timer = server.CreateTimer(() =>
        {
            long before = server.NowNanos;
            seen.Add((before, server.Loop.ReadClock(), server.NowNanos));
            cube.Service<Traffic>(0).SendVia(Link.XPlus);
        });
        timer.ArmAt(11_000_000);
        server.CreateTimer(() => late.Add(server.NowNanos)).ArmAt(12_000_000);
        cube.PauseAtReadClock(0, TimeSpan.FromMilliseconds(3));
        pair.Wait(2.9);
        Assert.Equal([(11_000_000L, 14_000_000L, 11_000_000L)], seen);
        Assert.Empty(pair.Arrivals);
        pair.Wait(5);

        // What was due meanwhile was late, and its step's time is that after the pause.
        Assert.Equal([14_000_000L], late);
        Assert.Equal(14_000_900, Assert.Single(pair.Arrivals).At);
        timer.ArmAt(20_000_000);
        pair.Wait(10);
        Assert.Equal((20_000_000L, 20_000_000L, 20_000_000L), seen[1]);
    }

    [Fact]
    public void A_pause_that_was_not_used_ends_with_the_server_and_negative_ones_are_refused()
    {
        using var pair = new FaultyPair();
        pair.Cube.PauseAtReadClock(0, TimeSpan.FromSeconds(1));
        pair.Cube.Kill(0);
        pair.Cube.Revive(0);
        IServer server = pair.Cube.ServerOf<Traffic>(0);
        Assert.Equal(server.NowNanos, server.Loop.ReadClock());
        Assert.Throws<ArgumentOutOfRangeException>(() => pair.Cube.PauseAtReadClock(0, TimeSpan.FromMilliseconds(-1)));
    }

    [Fact]
    public async Task On_a_real_server_it_moves_on_within_a_step_and_is_never_behind_the_steps_time()
    {
        await using var cube = new LiveCube(
            new TorusShape(1, 1, 1),
            [
                new ServiceDefinition
                {
                    Id = new ServiceId(0x0722),
                    Name = "clock",
                    Create = static a => new Reader(a.Server),
                },
            ],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        (long now, long first, long last, long later) = await cube.GateOf(0)
            .CallAsync<Reader, int, (long, long, long, long)>(static (reader, _) => reader.ReadAsync(), 0)
            .AsTask()
            .WaitAsync(Generous);
        Assert.True(now <= first && first < last && later == now, $"{now} {first} {last} {later}");
        Assert.InRange(first - now, 0, 60_000_000_000);
    }

    private sealed class Reader(IServer server) : CamCubeService
    {
        public ValueTask<(long Now, long First, long Last, long Later)> ReadAsync()
        {
            long now = server.NowNanos,
                first = server.Loop.ReadClock(),
                last = first;
            while (last == first)
            {
                last = server.Loop.ReadClock();
            }

            return ValueTask.FromResult((now, first, last, server.NowNanos));
        }
    }
}
