using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>The packets that a server may have.</summary>
public sealed class BudgetTests
{
    private static readonly Coordinate There = new(1, 0, 0);

    [Fact]
    public void Rents_that_wait_are_served_first_come_first_served_over_all_services()
    {
        Script first = new(),
            second = new();
        using TestCube cube = new TestCube(new TorusShape(2, 1, 1), server: Tight())
            .Add(first.Define(0x0301))
            .Add(second.Define(0x0302));
        _ = cube.Cube;
        Scripted a = first[0],
            b = second[0];
        Exhaust(a);
        Assert.False(b.Server.Packets.TryRent(0, out _));
        var order = new List<int>();
        for (int k = 0; k < 8; k++)
        {
            int mine = k;
            Scripted who = k % 2 == 0 ? b : a;
            who.Server.Loop.Run(async () =>
            {
                Packet? packet = await who.Server.Packets.RentAsync(10 * mine);
                Assert.Equal(10 * mine, packet!.BodyLength);
                order.Add(mine);
                who.Held.Add(packet);
            });
        }

        for (int k = 0; k < 8; k++)
        {
            a.Server.Packets.Release(a.Held[0]);
            a.Held.RemoveAt(0);
            cube.Advance(TimeSpan.FromMicroseconds(10));
            Assert.Equal(Enumerable.Range(0, k + 1), order);
        }

        a.Held.ForEach(a.Server.Packets.Release);
        b.Held.ForEach(b.Server.Packets.Release);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_rent_that_is_too_large_throws_at_once_although_others_wait_already()
    {
        Script script = new(),
            other = new();
        using TestCube cube = new TestCube(new TorusShape(2, 1, 1), server: Tight())
            .Add(script.Define(0x0301))
            .Add(other.Define(0x0302));
        _ = cube.Cube;
        Scripted self = script[0];
        Exhaust(self);
        ValueTask<Packet?> first = self.Server.Packets.RentAsync(0),
            third = other[0].Server.Packets.RentAsync(9);
        Assert.Throws<ArgumentOutOfRangeException>(() =>
        {
            _ = self.Server.Packets.RentAsync(1_000_000);
        });
        Assert.Throws<ArgumentOutOfRangeException>(() =>
        {
            _ = self.Server.Packets.RentAsync(-1);
        });
        self.Held.ForEach(self.Server.Packets.Release);
        self.Held.Clear();
        cube.Advance(TimeSpan.FromMilliseconds(1));
        self.Server.Packets.Release(cube.Await(first)!);
        other[0].Server.Packets.Release(cube.Await(third)!);
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_waits_for_a_packet_goes_on_when_the_first_of_those_that_wait_has_left()
    {
        Script script = new();
        using TestCube cube = new TestCube(new TorusShape(2, 1, 1, parallelCables: false), server: Tight()).Add(
            script.Define()
        );

        // What link state says at first is over, and its next heartbeat far.
        cube.Advance(TimeSpan.FromMilliseconds(5));
        Scripted self = script[0];
        Exhaust(self);
        List<Packet> queued = self.Held[..301];
        self.Held.RemoveRange(0, 301);
        foreach (Packet packet in queued)
        {
            packet.VirtualLength = 8_000;
            Assert.Equal(SendResult.Accepted, self.Server.Send(packet, There));
        }

        // The first left at once. From here on nobody frees anything.
        Assert.True(self.Server.Packets.TryRent(0, out Packet? last));
        self.Held.Add(last);
        Assert.Equal(300, self.Server.Queue.Count);
        long begin = cube.NowNanos,
            got = 0;
        self.Server.Loop.Run(async () =>
        {
            self.Held.Add((await self.Server.Packets.RentAsync(0))!);
            got = self.Server.NowNanos;
        });
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.InRange(got - begin, 1, 70_000);
        self.Held.ForEach(self.Server.Packets.Release);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_wait_that_throws_when_it_is_served_is_a_fault_of_its_service_and_all_other_waits_are_served()
    {
        Script bad = new(),
            good = new();
        using var bare = new BareServer(new TorusShape(1, 1, 1), 0, bad.Define(0x0301), good.Define(0x0302));
        Exhaust(bad[0]);
        Scripted victim = bad[0];
        var log = new List<string>();
        victim.Server.Loop.Run(async () => log.Add($"large {await victim.Server.Packets.RentAsync(5_000) is null}"));
        good[0]
            .Server.Loop.Run(async () =>
            {
                Packet? packet = await good[0].Server.Packets.RentAsync(100);
                log.Add($"small {packet!.BodyLength}");
                good[0].Server.Packets.Release(packet);
            });

        // As a mistake of the runtime's would: what was allowed when it began to wait is not any more.
        bare.LargestFrame = 2_000;
        bare.Server.Attach(bare);
        victim.Server.Packets.Release(victim.Held[0]);
        bare.Step();
        Assert.IsType<ArgumentOutOfRangeException>(Assert.Single(bare.Faults));
        Assert.Equal(["large True", "small 100"], log);
        Assert.Equal(Services.ServiceState.Faulted, bare.Server.Host.Find(new ServiceId(0x0301))!.State);
        Assert.Equal(0, bare.Context.Pool.Outstanding);
    }

    [Fact]
    public void Senders_that_only_rent_and_send_keep_a_link_full_and_share_what_leaves()
    {
        Script first = new(),
            second = new();
        using TestCube cube = new TestCube(new TorusShape(2, 1, 1, parallelCables: false), server: Tight())
            .Add(first.Define(0x0301))
            .Add(second.Define(0x0302));
        _ = cube.Cube;
        Scripted a = first[0],
            b = second[0];
        Exhaust(a);

        // Together they fit into either queue, so that none is dropped, and so freed, because a queue is full.
        foreach (Packet packet in a.Held[..200])
        {
            a.Server.Packets.Release(packet);
        }

        a.Held.RemoveRange(0, 200);
        bool ends = false;
        foreach (Scripted who in (Scripted[])[a, b])
        {
            who.Server.Loop.Run(async () =>
            {
                while (await who.Server.Packets.RentAsync(0) is { } packet)
                {
                    packet.VirtualLength = 1_436;
                    who.Server.Send(packet, There);
                    Assert.False(who == b && ends, "as asked");
                }
            });
        }

        cube.Advance(TimeSpan.FromMilliseconds(100));
        double bytes = cube[0].Status.Links[0].SentBytes;
        Assert.True(bytes > 0.98 * 100 * 125_000, $"{bytes} bytes");
        Assert.InRange((double)first[1].Ended / second[1].Ended, 0.8, 1.25);
        Assert.Equal(0, cube[0].DropsOf(DropReason.QueueFull));

        // One that faults in the middle leaves all to the other.
        ends = true;
        (int was, long then) = (first[1].Ended, cube[0].Status.Links[0].SentBytes);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.True(cube[0].Status.Links[0].SentBytes - then > 0.98 * 20 * 125_000);
        Assert.True(first[1].Ended - was > 1_500, $"{first[1].Ended - was}");
        Assert.Single(cube.Faults);
    }

    [Fact]
    public void A_rent_inside_a_poll_succeeds_once_when_the_budget_is_used_up()
    {
        Script script = new();
        using TestCube cube = new TestCube(new TorusShape(2, 1, 1), server: Tight()).Add(script.Define());
        _ = cube.Cube;
        Scripted self = script[0];
        Exhaust(self);
        bool? second = null;
        self.Poll = link =>
        {
            if (second is not null)
            {
                return null;
            }

            Assert.True(self.Server.Packets.TryRent(0, out Packet? packet));
            second = self.Server.Packets.TryRent(0, out _);
            packet.Destination = There;
            return packet;
        };
        self.Server.AddSource(self).Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.False(second);
        Assert.False(self.Server.Packets.TryRent(0, out _));
        Assert.Equal(1, script[1].Ended);
        self.Held.ForEach(self.Server.Packets.Release);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_arrives_while_the_budget_is_used_up_is_dropped_as_NoBuffer()
    {
        Script script = new();
        using TestCube cube = new TestCube(new TorusShape(3, 1, 1), server: Tight()).Add(script.Define());
        _ = cube.Cube;
        Exhaust(script[1]);
        script[0].Launch(There);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(cube[1].DropsOf(DropReason.NoBuffer) >= 1);
        Assert.Equal(0, script[1].Arrived);
        Assert.Equal(64 + 1_024, cube[1].Status.PacketsInUse);

        script[1].Held.ForEach(script[1].Server.Packets.Release);
        script[0].Launch(There);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, script[1].Arrived);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_service_that_hoards_all_packets_does_not_make_its_server_look_dead()
    {
        Script script = new();
        using TestCube cube = new TestCube(new TorusShape(4, 1, 1), server: Tight()).Add(script.Define());
        _ = cube.Cube;
        Exhaust(script[1]);
        int before = cube.Changes.Count;
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(before, cube.Changes.Count);
        cube.CutOff(new Coordinate(3, 0, 0));
        cube.AwaitConverged();
        Assert.All(Enumerable.Range(0, 3), r => Assert.Equal(3, cube[r].Topology.ReachableCount));
        Assert.Equal(0, cube[1].DropsOf(DropReason.NoBuffer));
        script[1].Held.ForEach(script[1].Server.Packets.Release);
        cube.AssertQuiet();
    }

    [Fact]
    public void Copies_for_which_there_is_no_buffer_are_counted()
    {
        Script script = new();
        using TestCube cube = new TestCube(new TorusShape(3, 3, 1), server: Tight()).Add(script.Define());
        _ = cube.Cube;
        Exhaust(script[0]);
        Packet packet = script[0].Held[0];
        script[0].Held.RemoveAt(0);
        Assert.Equal(
            SendResult.QueueFull,
            script[0].Server.SendToAll(packet, (LinkSet)Link.XPlus | Link.YPlus | Link.Local)
        );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(0, script.Running.Values.Sum(s => s.Arrived));
        Assert.Equal(3, cube[0].DropsOf(DropReason.NoBuffer));

        // Its own place is free again, and a copy that leaves at once frees its place for the next.
        packet = script[0].Rent();
        script[0].Server.Packets.Release(script[0].Held[0]);
        script[0].Held.RemoveAt(0);
        Assert.Equal(
            SendResult.Accepted,
            script[0].Server.SendToAll(packet, (LinkSet)Link.XPlus | Link.YPlus | Link.Local)
        );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((1, 1), (script[1].Arrived, script[3].Arrived));
        script[0].Held.ForEach(script[0].Server.Packets.Release);
        cube.AssertQuiet();
    }

    internal static ServerOptions Tight() => new() { PacketBudget = 64 };

    internal static void Exhaust(Scripted self)
    {
        while (self.Server.Packets.TryRent(0, out Packet? packet))
        {
            self.Held.Add(packet);
        }
    }
}
