using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class BadPacketTests
{
    [Fact]
    public void The_hop_limit_is_the_number_of_hops_and_then_the_packet_is_dropped()
    {
        Script script = new();
        using TestCube cube = new TestCube(9, 1, 1).Add(script.Define());
        _ = cube.Cube;
        for (ushort limit = 0; limit <= 5; limit++)
        {
            Packet packet = script[0].Rent();
            packet.HopLimit = limit;
            script[0].Server.Send(packet, new Coordinate(4, 0, 0));
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(2, script[4].Ended);
        Assert.Equal([0, 2, 1, 1], Enumerable.Range(0, 4).Select(r => cube[r].DropsOf(DropReason.HopLimit)));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_service_sees_how_many_hops_a_packet_may_still_make()
    {
        Script script = new();
        var seen = new List<int>();
        script.Packet = (Scripted _, in HopContext hop, Packet packet) =>
        {
            seen.Add(packet.HopLimit);
            return hop.IsDestination ? Verdict.Consume : Verdict.Forward;
        };
        using TestCube cube = new TestCube(9, 1, 1).Add(script.Define());
        _ = cube.Cube;
        Packet packet = script[0].Rent();
        packet.HopLimit = 4;
        script[0].Server.Send(packet, new Coordinate(4, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal([3, 2, 1, 0], seen);
    }

    public static TheoryData<string> Loops =>
        [
            "forward",
            "via",
            "hold and send",
            "take and send",
            "to all",
            "via local",
            "hand to each other",
            "send to itself",
        ];

    [Theory]
    [MemberData(nameof(Loops))]
    public void Every_loop_ends_by_the_hop_limit(string loop)
    {
        Script a = new(),
            b = new();
        a.Packet = b.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            IServer server = self.Server;
            Coordinate other = new((ushort)(1 - server.Coordinate.X), 0, 0);
            switch (loop)
            {
                case "forward":
                    packet.Destination = other;
                    return Verdict.Forward;
                case "via":
                    return Verdict.Via(Link.XPlus);
                case "via local":
                    return Verdict.Via(Link.Local);
                case "to all":
                    return Verdict.ViaAll(Link.XPlus);
                case "hold and send":
                    server.Loop.Post(p => server.Send((Packet)p!, other), packet);
                    return Verdict.Hold;
                case "take and send":
                    server.Packets.Take(packet);
                    server.Send(packet, other);
                    return Verdict.Taken;
                case "send to itself":
                    server.Send(packet, server.Coordinate);
                    return Verdict.Taken;
                default:
                    packet.Service = new ServiceId((ushort)(packet.Service.Value ^ 1));
                    return Verdict.Forward;
            }
        };
        using TestCube cube = new TestCube(2, 1, 1).Add(a.Define(0x0300)).Add(b.Define(0x0301));
        _ = cube.Cube;
        Packet packet = a[0].Rent();
        packet.HopLimit = 100;
        a[0].Server.Send(packet, new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(100, a[0].Arrived + a[1].Arrived + b[0].Arrived + b[1].Arrived);
        Assert.Equal(1, cube[0].DropsOf(DropReason.HopLimit) + cube[1].DropsOf(DropReason.HopLimit));
        cube.AssertQuiet();
    }

    [Fact]
    public void Forward_at_the_destination_is_counted_as_a_bug_of_the_service()
    {
        Script script = new() { Packet = static (Scripted _, in HopContext hop, Packet _) => Verdict.Forward };
        using TestCube cube = new TestCube(3, 1, 1).Add(script.Define());
        _ = cube.Cube;
        script[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, cube[1].DropsOf(DropReason.ForwardedAtDestination));
        cube.AssertNoPackets();
    }

    [Fact]
    public void Unknown_services_short_headers_and_unwanted_ends_are_dropped_and_counted_where_they_are_found()
    {
        Script small = new(),
            large = new();
        using TestCube cube = new TestCube(3, 1, 1)
            .Add(small.Define(0x0301, header: 8))
            .Add(large.Define(0x0302, header: 40));
        _ = cube.Cube;
        Coordinate there = new(1, 0, 0);
        Packet packet = small[0].Rent(100);
        packet.Service = new ServiceId(0x7777);
        small[0].Server.Send(packet, there);
        packet = small[0].Rent(100);
        packet.Service = new ServiceId(0x0302);
        small[0].Server.Send(packet, there);
        packet = small[0].Rent(100);
        packet.Service = new ServiceId(0x0302);
        packet.HeaderLength = 39;
        small[0].Server.Send(packet, cube.Shape.At(0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, cube[1].DropsOf(DropReason.UnknownService));
        Assert.Equal(1, cube[1].DropsOf(DropReason.Malformed));
        Assert.Equal(1, cube[0].DropsOf(DropReason.Malformed));
        Assert.Equal(0, large[0].Arrived + large[1].Arrived);
        Assert.Throws<ArgumentOutOfRangeException>(() => small[0].Rent().HeaderLength = 65);
        Assert.Throws<ArgumentOutOfRangeException>(() => small[0].Rent().HeaderLength = -1);
        Assert.Throws<ArgumentOutOfRangeException>(() => small[0].Rent().VirtualLength = -1);
        Assert.Throws<ArgumentOutOfRangeException>(() => small[0].Rent().SetBodyLength(1));
    }

    [Fact]
    public void A_packet_that_is_longer_than_a_frame_is_refused_at_its_origin()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        IServer server = script[0].Server;
        foreach (int length in (int[])[9_015 - Packet.FrameOverhead - 8, 100_000, 10_000_000])
        {
            Assert.Equal(SendResult.TooLarge, server.Send(Virtual(script[0], length), new Coordinate(1, 0, 0)));
            Assert.Equal(SendResult.TooLarge, server.SendVia(Virtual(script[0], length), Link.XPlus));
            Assert.Equal(SendResult.TooLarge, server.SendToAll(Virtual(script[0], length), Link.XPlus));
        }

        Assert.Equal(9, cube[0].DropsOf(DropReason.TooLarge));
        Assert.Equal(
            SendResult.Accepted,
            server.Send(Virtual(script[0], 9_014 - Packet.FrameOverhead - 8), new Coordinate(1, 0, 0))
        );
        Packet packet = script[0].Rent();
        Record.Exception(() => packet.VirtualLength = int.MaxValue);
        Assert.NotEqual(
            SendResult.Accepted,
            packet.VirtualLength > 0 ? server.Send(packet, new Coordinate(1, 0, 0)) : SendResult.TooLarge
        );
    }

    [Fact]
    public void A_packet_that_became_longer_than_a_frame_on_its_way_is_dropped_there()
    {
        foreach (Verdict verdict in (Verdict[])[Verdict.Forward, Verdict.Via(Link.XPlus), Verdict.ViaAll(Link.XPlus)])
        {
            Script script = new();
            script.Packet = (Scripted _, in HopContext hop, Packet packet) =>
            {
                packet.VirtualLength = 9_000;
                return hop.IsDestination ? Verdict.Consume : verdict;
            };
            using TestCube cube = new TestCube(5, 1, 1).Add(script.Define());
            _ = cube.Cube;
            script[0].Launch(new Coordinate(2, 0, 0));
            cube.Advance(TimeSpan.FromMilliseconds(1));
            Assert.Equal(1, cube[1].DropsOf(DropReason.TooLarge));
            Assert.Equal(0, script[2].Arrived);
            cube.AssertQuiet();
        }
    }

    [Fact]
    public void A_source_that_gives_a_packet_longer_than_a_frame_is_a_fault_of_its_service()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        script[0].Poll = _ => Virtual(script[0], 9_000);
        script[0].Server.AddSource(script[0]).Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertOneFault<InvalidOperationException>("MaxPayload");
        cube.AssertNoPackets();
    }

    [Fact]
    public void What_has_no_route_is_dropped_and_a_coordinate_outside_the_shape_is_nowhere()
    {
        Script script = new();
        script.Packet = static (Scripted self, in HopContext hop, Packet packet) =>
        {
            packet.Destination = new Coordinate(7, 7, 7);
            return Verdict.Forward;
        };
        using TestCube cube = new TestCube(3, 2, 1).Add(script.Define());
        _ = cube.Cube;
        Coordinate[] outside = [new(3, 0, 0), new(0, 2, 0), new(0, 0, 1), new(65_535, 65_535, 65_535), new(2, 1, 9)];
        foreach (Coordinate nowhere in outside)
        {
            Assert.Equal(SendResult.NoRoute, script[0].Launch(nowhere));
            Packet? packet = script[0].Rent();
            Assert.Equal(SendResult.NoRoute, script[0].Server.TrySend(ref packet, nowhere));
            script[0].Server.Packets.Release(packet!);
            Assert.True(script[0].Server.Topology.NextHops(nowhere).IsEmpty);
            Assert.Equal(-1, script[0].Server.Topology.HopsTo(nowhere));
            Assert.False(script[0].Server.Topology.IsReachable(nowhere));
        }

        Assert.Equal(outside.Length, cube[0].DropsOf(DropReason.NoRoute));
        script[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, cube[1].DropsOf(DropReason.NoRoute));

        cube.CutOff(new Coordinate(2, 1, 0));
        cube.AwaitConverged();
        Assert.Equal(SendResult.NoRoute, script[0].Launch(new Coordinate(2, 1, 0)));
        Assert.Equal(SendResult.NoRoute, script[0].Launch(new Coordinate(3, 3, 3)));
        cube.AssertQuiet();
    }

    private static Packet Virtual(Scripted self, int length)
    {
        Packet packet = self.Rent();
        packet.VirtualLength = length;
        return packet;
    }
}
