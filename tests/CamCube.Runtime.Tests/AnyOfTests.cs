using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Packets wait on several links at once and leave on the first that is free.</summary>
public sealed class AnyOfTests
{
    private static readonly Coordinate Opposite = new(2, 2, 0);

    [Fact]
    public void Packets_leave_by_every_link_of_their_set_so_two_links_carry_twice_as_much()
    {
        Script script = Numbered();
        using TestCube cube = new TestCube(4, 4, 1).Add(script.Define());
        _ = cube.Cube;
        for (int i = 0; i < 400; i++)
        {
            Large(script[0], Opposite, i);
        }

        cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(400, script[10].Ended);
        long[] sent = [.. cube[0].Status.Links.Select(l => l.SentPackets)];
        Assert.All(sent.Take(4), n => Assert.InRange(n, 98, 106));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_packet_takes_the_free_link_while_another_link_of_its_set_is_blocked()
    {
        Script script = Numbered();
        using TestCube cube = new TestCube(4, 1, 1).Add(script.Define());
        _ = cube.Cube;
        for (int i = 0; i < 100; i++)
        {
            Packet packet = script[0].Rent();
            packet.VirtualLength = 8_000;
            Assert.Equal(SendResult.Accepted, script[0].Server.SendVia(packet, Link.XPlus));
        }

        // The antipode of an axis of size 4 is reached both ways; +x is full for 6 ms.
        long begin = cube.NowNanos;
        Large(script[0], new Coordinate(2, 0, 0), 1_000);
        cube.AwaitUntil(() => script.Log.Contains("2: 1000"));
        Assert.True(cube.NowNanos - begin < 300_000, $"{cube.NowNanos - begin} ns");
        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.AssertQuiet();
    }

    [Fact]
    public void Equals_leave_in_the_order_in_which_they_came_and_the_oldest_of_several_sets_goes_first()
    {
        Script script = Numbered();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        LinkSet plus = Link.XPlus,
            minus = Link.XMinus,
            both = plus | minus;
        for (int i = 0; i < 300; i++)
        {
            Packet packet = script[0].Rent();
            packet.Header<long>() = i;
            packet.VirtualLength = 1_000;
            packet.Destination = new Coordinate(1, 0, 0);
            script[0]
                .Server.SendVia(
                    packet,
                    (i % 3) switch
                    {
                        0 => plus,
                        1 => both,
                        _ => minus,
                    }
                );
        }

        cube.Advance(TimeSpan.FromMilliseconds(10));
        long[] order =
        [
            .. script.Log.Select(s => long.Parse(s[3..], System.Globalization.CultureInfo.InvariantCulture)),
        ];
        Assert.Equal(300, order.Length);
        foreach (int rest in (int[])[0, 1, 2])
        {
            long[] mine = [.. order.Where(n => n % 3 == rest)];
            Assert.Equal(mine.Order(), mine);
        }

        // True any-of: no packet is overtaken by more than the frames that are on the two cables.
        for (int i = 0; i < order.Length; i++)
        {
            Assert.InRange(order[i], i - 4, i + 4);
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Nothing_is_lost_and_nothing_overtakes_when_a_link_of_the_set_goes_down()
    {
        Script script = Numbered();
        using TestCube cube = new TestCube(4, 1, 1, Slow(5_000_000)).Add(script.Define());
        _ = cube.Cube;
        for (int i = 0; i < 500; i++)
        {
            Large(script[0], new Coordinate(2, 0, 0), i);
        }

        Down(cube, 0, Link.XMinus);
        Assert.InRange(script[2].Ended, 100, 400);
        long sent = cube[0].Status.Links[1].SentBytes;
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(500, script[2].Ended);
        Assert.InRange(cube[0].Status.Links[1].SentBytes, sent, sent + 10_000);
        Assert.Empty(cube[0].Status.Drops);
        long[] order =
        [
            .. script.Log.Select(s => long.Parse(s[3..], System.Globalization.CultureInfo.InvariantCulture)),
        ];
        Assert.True(order.Zip(order.Skip(1)).Count(p => p.First > p.Second) < 8, string.Join(' ', order));
        cube.AssertQuiet();
    }

    [Fact]
    public void Packets_whose_links_the_service_chose_are_dropped_as_LinkDown_when_none_is_left()
    {
        Script script = Numbered();
        using TestCube cube = new TestCube(4, 4, 1, Slow(5_000_000)).Add(script.Define());
        _ = cube.Cube;
        LinkSet both = (LinkSet)Link.XPlus | Link.YPlus;
        for (int i = 0; i < 200; i++)
        {
            foreach (LinkSet set in (LinkSet[])[Link.XPlus, both])
            {
                Packet packet = script[0].Rent();
                packet.VirtualLength = 1_000;
                packet.Destination = new Coordinate(1, 1, 0);
                Assert.Equal(SendResult.Accepted, script[0].Server.SendVia(packet, set));
            }
        }

        Down(cube, 0, Link.XPlus);
        long dropped = cube[0].DropsOf(DropReason.LinkDown);
        Assert.InRange(dropped, 20, 150);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(400 - dropped, script.Running.Values.Sum(s => s.Ended));
        Assert.Equal(SendResult.LinkDown, script[0].Server.SendVia(script[0].Rent(), Link.XPlus));
        Assert.Equal(SendResult.LinkDown, script[0].Server.SendVia(script[0].Rent(), LinkSet.None));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_source_is_not_asked_for_a_link_that_is_down_and_is_asked_again_when_it_is_up()
    {
        Script script = new();
        using TestCube cube = new TestCube(new TorusShape(2, 1, 1, parallelCables: false), Slow(10_000_000)).Add(
            script.Define()
        );
        _ = cube.Cube;
        Scripted self = script[0];
        int left = 100;
        self.Poll = _ =>
        {
            if (left == 0)
            {
                return null;
            }

            left--;
            Packet packet = self.Rent();
            packet.VirtualLength = 8_000;
            packet.Destination = new Coordinate(1, 0, 0);
            return packet;
        };
        IOutboundTurn turn = self.Server.AddSource(self);
        turn.Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Down(cube, 0, Link.XPlus);
        Assert.InRange(left, 50, 90);
        int polls = self.Polls;
        cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.InRange(self.Polls, polls, polls + 1);
        Up(cube, 0, Link.XPlus);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(100, script[1].Ended);
        cube.AssertQuiet();
    }

    [Fact]
    public void Local_is_a_link_like_the_others_for_a_source_and_does_not_stop_the_clock()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        Scripted self = script[0];
        int left = 10;
        self.Poll = link =>
        {
            if (left == 0)
            {
                return null;
            }

            left--;
            Packet packet = self.Rent();
            packet.Destination = link == Link.Local ? self.Server.Coordinate : new Coordinate(1, 0, 0);
            return packet;
        };
        IOutboundTurn turn = self.Server.AddSource(self);
        turn.Ready = Link.Local;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((10, 0), (self.Ended, script[1].Ended));
        Assert.True(turn.Ready.IsEmpty);

        left = int.MaxValue;
        turn.Ready = (LinkSet)Link.Local | Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(self.Ended > 100 && script[1].Ended > 100, $"{self.Ended} {script[1].Ended}");
        turn.Ready = LinkSet.None;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertQuiet();
    }

    [Fact]
    public void Whoever_waits_for_room_is_served_when_a_link_goes_down_and_the_queue_is_emptied()
    {
        Script script = new();
        using TestCube cube = new TestCube(4, 1, 1, Slow(1_000_000)).Add(
            script.Define(queue: new QueueOptions { LimitPackets = 100 })
        );
        _ = cube.Cube;
        Scripted self = script[0];
        while (self.Server.Queue.Room > 0)
        {
            Packet packet = self.Rent();
            packet.VirtualLength = 1_000;
            self.Server.SendVia(packet, Link.XPlus);
        }

        Assert.Equal(0, self.Server.Queue.Room);
        self.Server.Loop.Run(async () => script.Log.Add($"room {await self.Server.Queue.RoomAsync(100)}"));
        Down(cube, 0, Link.XPlus);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["room True"], script.Log);
        cube.AssertQuiet();
    }

    private static void Large(Scripted self, Coordinate to, long number)
    {
        Packet packet = self.Rent();
        packet.Header<long>() = number;
        packet.VirtualLength = 1_000;
        Assert.Equal(SendResult.Accepted, self.Server.Send(packet, to));
    }

    private static SimulatorOptions Slow(long bitsPerSecond) => new() { LinkBitsPerSecond = bitsPerSecond };

    private static Script Numbered()
    {
        Script script = new();
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            if (!hop.IsDestination)
            {
                return Verdict.Forward;
            }

            script.Log.Add($"{self.Server.Coordinate.X}: {packet.Header<long>()}");
            return Verdict.Consume;
        };
        return script;
    }

    // The link goes down because nothing is heard on it any more; what is sent on it still arrives, so that nothing is
    // lost on the cable.
    private static void Down(TestCube cube, int rank, Link link)
    {
        Coordinate neighbour = cube[rank].Topology.Neighbour(link);
        cube.Lose = (from, l, packet) => from == neighbour && l == link.Opposite() && packet.Service.Value == 1;
        cube.AwaitUntil(() => !cube[rank].Topology.LinksUp.Contains(link), $"{link} of {rank} is still up");
    }

    private static void Up(TestCube cube, int rank, Link link)
    {
        cube.Lose = null;
        cube.AwaitUntil(() => cube[rank].Topology.LinksUp.Contains(link), $"{link} of {rank} is still down");
    }
}
