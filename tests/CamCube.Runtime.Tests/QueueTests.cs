using CamCube.Simulator;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class QueueTests
{
    private static readonly Coordinate There = new(1, 0, 0);

    [Theory]
    [InlineData(DropPolicy.Newest)]
    [InlineData(DropPolicy.Oldest)]
    public void A_full_queue_drops_by_its_policy_and_counts(DropPolicy policy)
    {
        Script script = Numbered();
        using TestCube cube = OneCable(script, new QueueOptions { LimitPackets = 10, Drop = policy });
        Scripted self = script[0];
        var results = new List<SendResult>();
        for (int i = 0; i <= 20; i++)
        {
            results.Add(Send(self, i));
        }

        Assert.Equal((0, 10), (self.Server.Queue.Room, self.Server.Queue.Count));
        Assert.Equal(10, cube[0].DropsOf(DropReason.QueueFull));
        bool newest = policy == DropPolicy.Newest;
        Assert.Equal(newest ? 10 : 0, results.Count(r => r == SendResult.QueueFull));
        cube.Advance(TimeSpan.FromMilliseconds(5));

        // The first left at once, without the queue.
        string[] expected = ["0", .. Enumerable.Range(newest ? 1 : 11, 10).Select(i => $"{i}")];
        Assert.Equal(expected, script.Log);
        Assert.Equal((10, 0), (self.Server.Queue.Room, self.Server.Queue.Count));
        cube.AssertQuiet();
    }

    [Fact]
    public void TrySend_keeps_the_packet_when_the_queue_is_full_and_nothing_is_counted()
    {
        Script script = Numbered();
        using TestCube cube = OneCable(script, new QueueOptions { LimitPackets = 2 });
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(SendResult.Accepted, Send(script[0], i));
        }

        Packet? packet = script[0].Rent(40);
        packet.Header<long>() = 3;
        Assert.Equal(SendResult.QueueFull, script[0].Server.TrySend(ref packet, There));
        Assert.NotNull(packet);
        Assert.Equal(40, packet.BodyLength);
        Assert.Equal(0, cube[0].DropsOf(DropReason.QueueFull));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(SendResult.Accepted, script[0].Server.TrySend(ref packet, There));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["0", "1", "2", "3"], script.Log);
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_waits_for_room_is_told_in_the_order_of_asking_and_finds_it()
    {
        Script script = Numbered();
        using TestCube cube = OneCable(script, new QueueOptions { LimitPackets = 8 });
        Scripted self = script[0];
        for (int i = 0; i < 9; i++)
        {
            Send(self, i);
        }

        int[] sizes = [5, 1, 1, 8, 2, 3];
        int next = 100;
        for (int k = 0; k < sizes.Length; k++)
        {
            int mine = k;
            self.Server.Run(async () =>
            {
                Assert.True(await self.Server.Queue.RoomAsync(sizes[mine]));
                Assert.True(self.Server.Queue.Room >= sizes[mine], $"{mine}: {self.Server.Queue.Room}");
                script.Log.Add($"room {mine}");
                for (int i = 0; i < sizes[mine]; i++)
                {
                    Assert.Equal(SendResult.Accepted, Send(self, next++));
                }
            });
        }

        cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(sizes.Select((_, k) => $"room {k}"), script.Log.Where(s => s[0] == 'r'));
        Assert.Equal(0, cube[0].DropsOf(DropReason.QueueFull));
        Assert.Equal(9 + sizes.Sum(), script[1].Ended);
        cube.AssertQuiet();
    }

    [Fact]
    public void Room_that_is_left_unused_goes_to_the_next_who_waits()
    {
        Script script = Numbered();
        using TestCube cube = OneCable(script, new QueueOptions { LimitPackets = 2 });
        for (int i = 0; i < 3; i++)
        {
            Send(script[0], i);
        }

        for (int k = 0; k < 4; k++)
        {
            int mine = k;
            script[0].Server.Run(async () => script.Log.Add($"room {mine} {await script[0].Server.Queue.RoomAsync(2)}"));
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["room 0 True", "room 1 True", "room 2 True", "room 3 True"], script.Log.Where(s => s[0] == 'r'));
        cube.AssertQuiet();
    }

    [Fact]
    public void Rents_that_wait_are_served_first_come_first_served_over_all_services()
    {
        Script first = new(), second = new();
        using TestCube cube = new TestCube(new TorusShape(2, 1, 1), server: Tight()).Add(first.Define(0x0301)).Add(second.Define(0x0302));
        _ = cube.Cube;
        Scripted a = first[0], b = second[0];
        Exhaust(a);
        Assert.False(b.Server.TryRent(0, out _));
        var order = new List<int>();
        for (int k = 0; k < 8; k++)
        {
            int mine = k;
            Scripted who = k % 2 == 0 ? b : a;
            who.Server.Run(async () =>
            {
                Packet? packet = await who.Server.RentAsync(10 * mine);
                Assert.Equal(10 * mine, packet!.BodyLength);
                order.Add(mine);
                who.Held.Add(packet);
            });
        }

        for (int k = 0; k < 8; k++)
        {
            a.Server.Release(a.Held[0]);
            a.Held.RemoveAt(0);
            cube.Advance(TimeSpan.FromMicroseconds(10));
            Assert.Equal(Enumerable.Range(0, k + 1), order);
        }

        a.Held.ForEach(a.Server.Release);
        b.Held.ForEach(b.Server.Release);
        cube.AssertQuiet();
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

            Assert.True(self.Server.TryRent(0, out Packet? packet));
            second = self.Server.TryRent(0, out _);
            packet.Destination = There;
            return packet;
        };
        self.Server.AddSource(self).Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.False(second);
        Assert.False(self.Server.TryRent(0, out _));
        Assert.Equal(1, script[1].Ended);
        self.Held.ForEach(self.Server.Release);
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

        script[1].Held.ForEach(script[1].Server.Release);
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
        script[1].Held.ForEach(script[1].Server.Release);
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
        Assert.Equal(SendResult.QueueFull, script[0].Server.SendToAll(packet, (LinkSet)Link.XPlus | Link.YPlus | Link.Local));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(0, script.Running.Values.Sum(s => s.Arrived));
        Assert.Equal(3, cube[0].DropsOf(DropReason.NoBuffer));

        // Its own place is free again, and a copy that leaves at once frees its place for the next.
        packet = script[0].Rent();
        script[0].Server.Release(script[0].Held[0]);
        script[0].Held.RemoveAt(0);
        Assert.Equal(SendResult.Accepted, script[0].Server.SendToAll(packet, (LinkSet)Link.XPlus | Link.YPlus | Link.Local));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((1, 1), (script[1].Arrived, script[3].Arrived));
        script[0].Held.ForEach(script[0].Server.Release);
        cube.AssertQuiet();
    }

    [Fact]
    public void Bodies_that_are_too_large_are_refused_by_name_of_the_limit()
    {
        Script script = new();
        using TestCube cube = OneCable(script, new QueueOptions());
        Scripted self = script[0];
        int most = self.Server.MaxPayload - 8;
        self.Server.Release(self.Rent(most));
        Assert.Contains("MaxPayload", Assert.Throws<ArgumentOutOfRangeException>(() => self.Rent(most + 1)).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentOutOfRangeException>(() => self.Rent(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = self.Server.RentAsync(most + 1); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = self.Server.RentAsync(int.MinValue); });
        cube.AssertQuiet();
    }

    [Fact]
    public void Waits_for_room_and_rents_end_when_the_service_stops()
    {
        Script script = Numbered();
        using TestCube cube = OneCable(script, new QueueOptions { LimitPackets = 1 }, Tight());
        Scripted self = script[0];
        Send(self, 0);
        Send(self, 1);
        Exhaust(self);
        self.Server.Run(async () => script.Log.Add($"room {await self.Server.Queue.RoomAsync(1)}"));
        self.Server.Run(async () => script.Log.Add($"rent {await self.Server.RentAsync(1) is null}"));
        self.Server.Run(async () => script.Log.Add($"delay {await self.Server.DelayAsync(TimeSpan.FromHours(1))}"));
        cube.Cube.RemoveService(0, new ServiceId(0x0300));
        Assert.Equal(["delay False", "rent True", "room False"], script.Log.Order());
        Assert.False(cube.Await(self.Server.DelayAsync(TimeSpan.Zero)));
        Assert.False(cube.Await(self.Server.Queue.RoomAsync(1)));
        Assert.Null(cube.Await(self.Server.RentAsync(1)));
        cube.AssertNoPackets();
    }

    private static ServerOptions Tight() => new() { PacketBudget = 64 };

    private static void Exhaust(Scripted self)
    {
        while (self.Server.TryRent(0, out Packet? packet))
        {
            self.Held.Add(packet);
        }
    }

    private static SendResult Send(Scripted self, int number)
    {
        Packet packet = self.Rent();
        packet.Header<long>() = number;
        packet.VirtualLength = 1_000;
        return self.Server.Send(packet, There);
    }

    private static Script Numbered()
    {
        Script script = new();
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            script.Log.Add($"{packet.Header<long>()}");
            return Verdict.Consume;
        };
        return script;
    }

    private static TestCube OneCable(Script script, QueueOptions queue, ServerOptions? server = null)
    {
        TestCube cube = new TestCube(new TorusShape(2, 1, 1, parallelCables: false), new SimulatorOptions(), server).Add(script.Define(queue: queue));
        _ = cube.Cube;
        return cube;
    }
}
