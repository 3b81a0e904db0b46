using System.Diagnostics;
using CamCube.Faults;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using static CamCube.Runtime.Tests.CableCubeKit;

namespace CamCube.Runtime.Tests;

/// <summary>Two servers of one process, each with its own thread, over frames of bytes.</summary>
public sealed class CableCubeTests
{
    [Fact]
    public async Task Two_servers_find_each_other_and_talk_both_ways_over_the_wire()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events),
            b = await Start(wire, 1, events);
        await Whole(events, a, b);
        Assert.Equal("Memory", a.Shim);
        Assert.False(a.CanControl);
        Assert.Equal([1], b.LocalRanks);
        Assert.Throws<ArgumentOutOfRangeException>(() => a.GateOf(1));
        await Assert.ThrowsAsync<NotSupportedException>(async () => await a.StopServerAsync(0));
        for (int i = 0; i < 200; i++)
        {
            Assert.Equal(i + 1, await Ping(a, 1, i));
            Assert.Equal(i + 1, await Ping(b, 0, i));
            Assert.Equal(i + 1, await Ping(a, 0, i));
        }

        int[] many = await Task.WhenAll(
            Enumerable.Range(0, 200).Select(i => Ping(i % 2 == 0 ? a : b, (i >> 1) % 2, i))
        );
        Assert.Equal(Enumerable.Range(1, 200), many);
        ServerStatus status = a.GetStatus().Servers.Single();
        Assert.Equal(ServerState.Running, status.State);
        Assert.True(status.Links.Sum(l => l.SentPackets) > 100 && status.Links.Sum(l => l.ReceivedPackets) > 100);
        Assert.Empty(events.Faults);
    }

    [Fact]
    public async Task A_server_that_stops_is_missed_and_welcome_when_it_starts_again()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events);
        CableCube b = await Start(wire, 1, events);
        await Whole(events, a, b);
        ulong first = b.GetStatus().Servers[0].Incarnation;
        await b.DisposeAsync();
        Assert.True(wire.IsClosed(1));
        Assert.Equal(ServerState.Stopped, b.GetStatus().Servers[0].State);
        await Assert.ThrowsAsync<ServiceUnavailableException>(() => Ping(b, 0, 1));
        await events.Until(() => a.GetStatus().Servers[0].ReachableServers == 1, "b is not missed");

        await using CableCube again = await Start(wire, 1, events);
        await Whole(events, a, again);
        Assert.True(again.GetStatus().Servers[0].Incarnation > first);
        Assert.Equal(8, await Ping(a, 1, 7));
        Assert.Equal(8, await Ping(again, 0, 7));
        Assert.Empty(events.Faults);
    }

    [Fact]
    public async Task A_server_that_may_be_controlled_is_stopped_and_started_like_one_whose_power_failed()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events),
            b = await Start(wire, 1, events, mayControl: true);
        await Whole(events, a, b);
        ulong first = b.GetStatus().Servers[0].Incarnation;
        await b.StopServerAsync(1);
        await b.StopServerAsync(1);
        Assert.Equal(ServerState.Stopped, b.GetStatus().Servers[0].State);
        await Assert.ThrowsAsync<ServiceUnavailableException>(() => Ping(b, 0, 1));
        await events.Until(() => a.GetStatus().Servers[0].ReachableServers == 1, "b is not missed");

        await b.StartServerAsync(1);
        await b.StartServerAsync(1);
        await Whole(events, a, b);
        Assert.True(b.GetStatus().Servers[0].Incarnation > first);
        Assert.Equal(8, await Ping(a, 1, 7));
        Assert.Equal(8, await Ping(b, 0, 7));
        await b.StopServerAsync(1);
        await b.StopAsync(CancellationToken.None);
        Assert.Empty(events.Faults);
    }

    [Fact]
    public async Task A_cable_of_a_server_that_may_be_controlled_is_cut_both_ways_and_mended()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events, mayControl: true),
            b = await Start(wire, 1, events);
        await Whole(events, a, b);
        await a.CutCableAsync(0, Link.XPlus);
        await events.Until(
            () => !LinkOf(a, Link.XPlus).IsUp && !LinkOf(b, Link.XMinus).IsUp && LinkOf(b, Link.XPlus).IsUp,
            "the cut is not noticed"
        );
        Assert.Equal(CableState.Cut, a.GetStatus().Cables.Single(c => c.Link == Link.XPlus).State);
        Assert.Equal(8, await Ping(a, 1, 7));
        await a.MendCableAsync(0, Link.XPlus);
        await Whole(events, a, b);
        Assert.Empty(events.Faults);
    }

    [Fact]
    public async Task A_server_learns_its_place_from_its_links_before_it_starts()
    {
        var wire = new MemoryWire(Shape) { FindsCoordinate = true };
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events);
        await using CableCube b = new(
            wire,
            MemoryWire.Request(Shape, null),
            [Definition],
            new ServerOptions(),
            events,
            1
        );
        Task started = b.StartAsync(CancellationToken.None).AsTask();
        Assert.Empty(b.LocalRanks);
        Assert.Empty(b.GetStatus().Servers);
        Assert.False(started.IsCompleted);
        wire.PlaceUnplaced(1);
        await started.WaitAsync(Generous);
        Assert.Equal([1], b.LocalRanks);
        await Whole(events, a, b);
        Assert.Equal(8, await Ping(a, 1, 7));
    }

    [Fact]
    public async Task A_server_that_is_stopped_while_it_looks_for_its_place_ends()
    {
        var wire = new MemoryWire(Shape) { FindsCoordinate = true };
        await using CableCube b = new(
            wire,
            MemoryWire.Request(Shape, null),
            [Definition],
            new ServerOptions(),
            new WaitedEvents(),
            1
        );
        Task started = b.StartAsync(CancellationToken.None).AsTask();
        await b.StopAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => started);
    }

    [Fact]
    public void Without_a_place_and_links_that_find_it_there_is_a_line_that_says_so()
    {
        LinkProviderException e = Assert.Throws<LinkProviderException>(() =>
            new CableCube(
                new MemoryWire(Shape),
                MemoryWire.Request(Shape, null),
                [Definition],
                new ServerOptions(),
                new WaitedEvents(),
                1
            )
        );
        Assert.Contains("set CamCube:Coordinate", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Links_whose_frames_are_too_short_for_a_server_are_refused_in_a_line()
    {
        var wire = new MemoryWire(Shape) { MaxFrameLength = 1_000 };
        await using CableCube cube = Make(wire, 0, new WaitedEvents());
        LinkProviderException e = await Assert.ThrowsAsync<LinkProviderException>(() =>
            cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous)
        );
        Assert.Equal("the links of the shim Memory carry frames of 1000 bytes; at least 1514 are needed.", e.Message);
    }

    [Fact]
    public async Task A_cable_that_carries_only_one_way_is_down_at_both_ends_and_the_other_cable_takes_over()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events),
            b = await Start(wire, 1, events);
        await Whole(events, a, b);
        wire.Lose = static (rank, link) => rank == 0 && link == Link.XPlus;
        await events.Until(
            () =>
                !LinkOf(a, Link.XPlus).IsUp
                && !LinkOf(b, Link.XMinus).IsUp
                && LinkOf(a, Link.XMinus).IsUp
                && LinkOf(b, Link.XPlus).IsUp,
            "the cable is not down"
        );
        Assert.Equal(3, await Ping(a, 1, 2));
        Assert.Equal(3, await Ping(b, 0, 2));
        wire.Lose = null;
        await Whole(events, a, b);
    }

    [Fact]
    public async Task Fault_rules_work_on_real_links_too_and_heal()
    {
        var rules = new LinkFaultRules(Shape, 1);
        var wire = new FaultyLinkProvider(new MemoryWire(Shape), rules);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events),
            b = await Start(wire, 1, events);
        await Whole(events, a, b);
        LinkScope pings = LinkScope.All.OfService(new ServiceId(0x0321));

        using (rules.Add(new LinkCut(), LinkScope.Link(Shape.At(0), Link.XPlus)))
        {
            await events.Until(
                () => !LinkOf(a, Link.XPlus).IsUp && !LinkOf(b, Link.XMinus).IsUp,
                "the cable is not down"
            );
            Assert.Equal(3, await Ping(a, 1, 2));
        }

        await Whole(events, a, b);
        Task<int> ping;
        using (rules.Add(new PacketLoss(1), pings))
        {
            ping = Ping(a, 1, 5);
            await events.Until(() => rules.Counts.Lost > 0, "nothing was lost");
            Assert.False(ping.IsCompleted);
        }

        Assert.Equal(6, await ping);
        using (rules.Add(new PacketDelay(TimeSpan.FromMilliseconds(40)), pings))
        {
            long begin = Stopwatch.GetTimestamp();
            Assert.Equal(8, await Ping(a, 1, 7));
            Assert.True(
                Stopwatch.GetElapsedTime(begin) >= TimeSpan.FromMilliseconds(80),
                "There and back was quicker than the delays"
            );
        }

        using (rules.Add(new PacketDuplication(1), pings))
        {
            Assert.Equal(10, await Ping(a, 1, 9));
            await events.Until(() => rules.Counts.Duplicated >= 2, "nothing was duplicated");
        }

        Assert.True(rules.Counts is { Cut: > 0, Delayed: >= 2 }, $"{rules.Counts}");
        Assert.Equal(12, await Ping(b, 0, 11));
        Assert.Empty(events.Faults);
    }

    [Fact]
    public async Task Garbage_on_the_wire_is_counted_and_the_rest_goes_on()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events),
            b = await Start(wire, 1, events);
        await Whole(events, a, b);
        int seed = new Random().Next();
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] frame = new byte[random.Next(80)];
            random.NextBytes(frame);
            if (frame.Length > 4 && random.Next(2) == 0)
            {
                (frame[0], frame[1], frame[2], frame[3]) = (1, 0, (byte)frame.Length, 0);
            }

            wire.Inject(random.Next(2), (Link)random.Next(6), frame);
            if (i % 1_000 == 0)
            {
                Assert.Equal(i + 1, await Ping(a, 1, i));
            }
        }

        Assert.Equal(5, await Ping(b, 0, 4));
        Assert.True(b.GetStatus().Servers[0].Drops.Sum(d => d.Count) > 100, $"seed {seed}");
        Assert.True(events.Faults.Count == 0, $"seed {seed}: {events.Faults.FirstOrDefault()}");
    }

    [Fact]
    public async Task A_body_of_the_largest_size_fits_the_drivers_frame_and_virtual_bytes_are_refused()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events),
            b = await Start(wire, 1, events);
        await Whole(events, a, b);
        Assert.Equal(
            1_514 - Packet.FrameOverhead,
            await Call(a, 0, static (s, _) => ValueTask.FromResult(s.Server.Packets.MaxPayload))
        );
        Assert.Equal(1, await Call(a, 1, static (s, _) => s.AskAsync(1, 0, s.Server.Packets.MaxPayload - 16)));
        Assert.Equal(
            (int)SendResult.TooLarge,
            await Call(a, 1, static (s, _) => ValueTask.FromResult((int)s.SendVirtual()))
        );
    }

    [Fact]
    public async Task A_foreign_task_is_brought_back_to_the_loop_and_a_fault_is_contained()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events),
            b = await Start(wire, 1, events);
        await Whole(events, a, b);
        var foreign = new TaskCompletionSource();
        Task<int> call = a.GateOf(0)
            .CallAsync<Pinger, Task, int>(
                static async (s, task) =>
                {
                    int before = Environment.CurrentManagedThreadId;
                    await task;
                    return before == Environment.CurrentManagedThreadId ? 1 : 0;
                },
                foreign.Task
            )
            .AsTask();
        await Ping(a, 1, 1);
        foreign.SetResult();
        Assert.Equal(1, await call.WaitAsync(Generous));

        await Assert.ThrowsAsync<ServiceUnavailableException>(() =>
            Call(a, 0, static (_, _) => throw new FormatException("on purpose"))
        );
        await events.Until(() => events.Restarts > 0, "no restart");
        Assert.IsType<FormatException>(Assert.Single(events.Faults));
        Assert.Equal(2, await Ping(a, 1, 1));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public async Task A_clock_of_calendars_that_jumps_by_a_day_is_followed_but_never_back_and_changes_nothing_else(
        int days
    )
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        var clock = new SteppedClock();
        await using CableCube a = await Start(wire, 0, events),
            b = await Start(wire, 1, events, mayControl: true, clock);
        await Whole(events, a, b);
        DateTimeOffset before = new(await UtcTicks(b), TimeSpan.Zero);
        clock.Offset = TimeSpan.FromDays(days);
        DateTimeOffset expected = days > 0 ? before + clock.Offset : before;
        Assert.InRange(await UtcTicks(b), expected.UtcTicks, (expected + Generous).UtcTicks);
        Assert.Equal(8, await Ping(a, 1, 7));
        Assert.Equal(8, await Ping(b, 0, 7));

        // Also a server that starts by the other clock, while the others remember its former run.
        ulong first = b.GetStatus().Servers[0].Incarnation;
        await b.StopServerAsync(1);
        await events.Until(() => a.GetStatus().Servers[0].ReachableServers == 1, "b is not missed");
        await b.StartServerAsync(1);
        await Whole(events, a, b);
        Assert.True(b.GetStatus().Servers[0].Incarnation > first);
        Assert.Equal(9, await Ping(a, 1, 8));
        Assert.Equal(9, await Ping(b, 0, 8));
        Assert.Empty(events.Faults);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_process_whose_clock_was_set_back_runs_by_a_later_number_than_before_and_so_do_its_services(
        bool keepsState
    )
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        var clock = new SteppedClock();
        string? state = keepsState ? Directory.CreateTempSubdirectory("camcube-run").FullName : null;
        await using CableCube a = await Start(wire, 0, events);
        CableCube b = await Start(wire, 1, events, time: clock, state: state);
        await Whole(events, a, b);
        ulong first = b.GetStatus().Servers[0].Incarnation;
        await b.DisposeAsync();
        await events.Until(() => a.GetStatus().Servers[0].ReachableServers == 1, "b is not missed");

        // What a neighbour remembers is enough: the services begin anew when it says so.
        clock.Offset = TimeSpan.FromDays(-30);
        await using CableCube again = await Start(wire, 1, events, time: clock, state: state);
        await Whole(events, a, again);
        ulong seen = 0;
        for (int i = 0; i < 1_000 && seen <= first; i++)
        {
            seen = await again.GateOf(1).CallAsync<Pinger, int, ulong>(static (s, _) => new(s.Server.Incarnation), 0);
        }

        Assert.True(seen > first);
        Assert.Equal(seen, again.GetStatus().Servers[0].Incarnation);
        ulong known = await a.GateOf(0)
            .CallAsync<Pinger, int, ulong>(
                static (s, _) => new(s.Server.Topology.IncarnationOf(s.Server.Shape.At(1))),
                0
            );
        Assert.Equal(seen, known);
        Assert.Equal(8, await Ping(a, 1, 7));
        Assert.Equal(8, await Ping(again, 0, 7));
        Assert.Empty(events.Faults);
        if (state is not null)
        {
            Directory.Delete(state, recursive: true);
        }
    }

    [Fact]
    public async Task Secrets_are_not_the_seeds()
    {
        var wire = new MemoryWire(Shape);
        var events = new WaitedEvents();
        await using CableCube a = await Start(wire, 0, events);
        ulong first = await Secret(a);
        Assert.NotEqual(first, await Secret(a));
        await a.DisposeAsync();
        await using CableCube again = await Start(wire, 0, events);
        Assert.NotEqual(first, await Secret(again));
    }

    [Fact]
    public async Task What_never_started_can_be_disposed_and_what_ended_can_be_disposed_again()
    {
        var wire = new MemoryWire(Shape);
        var cube = Make(wire, 0, new WaitedEvents());
        await cube.DisposeAsync();
        Assert.True(wire.IsClosed(0));
        cube = await Start(wire, 0, new WaitedEvents());
        await cube.StopAsync(CancellationToken.None);
        await cube.StopAsync(CancellationToken.None);
        await cube.DisposeAsync();
        await cube.DisposeAsync();
    }
}
