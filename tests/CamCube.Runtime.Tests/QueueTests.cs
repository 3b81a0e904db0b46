using CamCube.Simulator.Settings;
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
            self.Server.Loop.Run(async () =>
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
            script[0]
                .Server.Loop.Run(async () =>
                    script.Log.Add($"room {mine} {await script[0].Server.Queue.RoomAsync(2)}")
                );
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["room 0 True", "room 1 True", "room 2 True", "room 3 True"], script.Log.Where(s => s[0] == 'r'));
        cube.AssertQuiet();
    }

    [Fact]
    public void Bodies_that_are_too_large_are_refused_by_name_of_the_limit()
    {
        Script script = new();
        using TestCube cube = OneCable(script, new QueueOptions());
        Scripted self = script[0];
        int most = self.Server.Packets.MaxPayload - 8;
        self.Server.Packets.Release(self.Rent(most));
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => self.Rent(most + 1));
        Assert.Contains("MaxPayload", e.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentOutOfRangeException>(() => self.Rent(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() =>
        {
            _ = self.Server.Packets.RentAsync(most + 1);
        });
        Assert.Throws<ArgumentOutOfRangeException>(() =>
        {
            _ = self.Server.Packets.RentAsync(int.MinValue);
        });
        cube.AssertQuiet();
    }

    [Fact]
    public void Waits_for_room_and_rents_end_when_the_service_stops()
    {
        Script script = Numbered();
        using TestCube cube = OneCable(script, new QueueOptions { LimitPackets = 1 }, BudgetTests.Tight());
        Scripted self = script[0];
        Send(self, 0);
        Send(self, 1);
        BudgetTests.Exhaust(self);
        self.Server.Loop.Run(async () => script.Log.Add($"room {await self.Server.Queue.RoomAsync(1)}"));
        self.Server.Loop.Run(async () => script.Log.Add($"rent {await self.Server.Packets.RentAsync(1) is null}"));
        self.Server.Loop.Run(async () =>
            script.Log.Add($"delay {await self.Server.DelayAsync(TimeSpan.FromHours(1))}")
        );
        cube.Cube.RemoveService(0, new ServiceId(0x0300));
        Assert.Equal(["delay False", "rent True", "room False"], script.Log.Order());
        Assert.False(cube.Await(self.Server.DelayAsync(TimeSpan.Zero)));
        Assert.False(cube.Await(self.Server.Queue.RoomAsync(1)));
        Assert.Null(cube.Await(self.Server.Packets.RentAsync(1)));
        cube.AssertNoPackets();
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
        TestCube cube = new TestCube(
            new TorusShape(2, 1, 1, parallelCables: false),
            new SimulatorOptions(),
            server
        ).Add(script.Define(queue: queue));
        _ = cube.Cube;
        return cube;
    }
}
