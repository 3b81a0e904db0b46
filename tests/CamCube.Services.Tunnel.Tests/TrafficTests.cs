using CamCube.Faults;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Frames between all servers, on whole cubes and on such in which something fails.</summary>
public sealed class TrafficTests
{
    [Theory]
    [InlineData(1, 1, 2)]
    [InlineData(3, 1, 1)]
    [InlineData(4, 3, 1)]
    [InlineData(3, 3, 3)]
    public void What_a_crowd_sends_comes_whole_once_and_in_order(int x, int y, int z)
    {
        using var cube = new TunnelCube(x, y, z);
        var traffic = new Traffic(cube);
        for (int round = 0; round < 40; round++)
        {
            Everybody(cube, (from, to) => traffic.Send(from, to, (ushort)(round % 4), length: 60 + (97 * round)));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        traffic.AssertComplete();
        cube.AssertNothingLeft();
        Assert.Equal(0, cube[0].Counters.Late.Value + cube[0].Counters.GivenUp.Value);
    }

    [Fact]
    public void One_flow_uses_several_links_and_stays_in_order()
    {
        using var cube = new TunnelCube(3, 3, 3);
        var traffic = new Traffic(cube);
        Coordinate to = cube.Shape.At(1);
        for (int i = 0; i < 400; i++)
        {
            traffic.Send(default, to, 1, length: 8_000);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(20));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        traffic.AssertComplete();

        // 8,000 bytes in 20 us are more than three links carry.
        Assert.InRange(cube[0].Counters.Sent.Value, 400, 400);
        Assert.True(cube[1].Counters.Waited.Value > 0);
        Assert.Equal(0, cube[1].Counters.Late.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Lost_doubled_and_bent_packets_stop_nobody_and_never_come_out()
    {
        using var cube = new TunnelCube(3, 3, 1);
        var traffic = new Traffic(cube);
        ServiceId tunnel = new(0x01B0);
        using (cube.Cube.LinkFaults.Add(new PacketLoss(0.02), LinkScope.All.OfService(tunnel)))
        using (cube.Cube.LinkFaults.Add(new PacketDuplication(0.05), LinkScope.All.OfService(tunnel)))
        using (cube.Cube.LinkFaults.Add(new PacketCorruption(0.02), LinkScope.All.OfService(tunnel)))
        {
            for (int round = 0; round < 200; round++)
            {
                Everybody(cube, (from, to) => traffic.Send(from, to, (ushort)(round % 4), length: 700));
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            }

            cube.Cube.Advance(TimeSpan.FromSeconds(1));
        }

        (int sent, int received) = traffic.Counts;
        Assert.InRange(received, sent * 85 / 100, sent - 1);
        Assert.InRange(traffic.OutOfOrder, 0, sent / 1_000);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void When_a_server_dies_in_a_crowd_the_others_go_on_and_it_comes_back_with_numbers_of_its_own()
    {
        using var cube = new TunnelCube(3, 3, 1);
        var traffic = new Traffic(cube);
        Coordinate dead = cube.Shape.At(4);
        bool Concerns(Coordinate from, Coordinate to) => from != dead && to != dead;
        int before = 0;
        for (int round = 0; round < 600; round++)
        {
            if (round == 100)
            {
                cube.Cube.Kill(dead);
            }

            if (round == 400)
            {
                before = traffic.Counts.Sent - traffic.Counts.Received;
                cube.Cube.Revive(dead);
                cube.Cube.AwaitConverged();
                traffic.Listen(dead);
            }

            Everybody(
                cube,
                (from, to) =>
                {
                    if (Concerns(from, to) || round is < 100 or >= 400)
                    {
                        traffic.Send(from, to, 1, length: 300);
                    }
                }
            );
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));

        // Lost is only what was on its way over the dead server until its neighbours knew.
        Assert.InRange(traffic.Counts.Sent - traffic.Counts.Received - before, 0, 0);
        Assert.InRange(before, 1, 72 * 250);
        Assert.Equal(0, traffic.OutOfOrder);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_tunnel_that_begins_anew_while_its_server_stays_is_heard_at_once_and_hears()
    {
        using var cube = new TunnelCube(3, 3, 1);
        var traffic = new Traffic(cube);
        Everybody(cube, (from, to) => traffic.Send(from, to, 1));
        for (int i = 0; i < 3_000; i++)
        {
            traffic.Send(cube.Shape.At(4), cube.Shape.At(i % 4), 1);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(20));
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        traffic.AssertComplete();
        cube.Cube.Cube.RestartService(4, new ServiceId(0x01B0));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        traffic.Listen(cube.Shape.At(4));
        for (int i = 0; i < 20; i++)
        {
            Everybody(cube, (from, to) => traffic.Send(from, to, 1));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        traffic.AssertComplete();
        cube.AssertNothingLeft();
    }

    [Fact]
    public void What_comes_late_of_an_earlier_run_takes_nobody_back_to_its_numbers()
    {
        using var cube = new TunnelCube(3, 1, 1);
        int received = 0;
        cube.CardOf(1).Received = _ => received++;
        void Come(ushort run, uint sequence)
        {
            IServer server = cube.Cube[0].ServerOf<TunnelService>();
            byte[] body = MachineFrame.Datagram4(cube.Addresses, default, cube.Shape.At(1), 1, 1)[MachineFrame.Head..];
            Assert.True(server.Packets.TryRent(body.Length, out Packet? packet));
            var header = new TunnelHeader
            {
                EtherType = EtherTypes.Internet4,
                Flags = TunnelFlags.First | TunnelFlags.Last,
                Path = TunnelHeader.NoPath,
                Paths = 1,
                Run = run,
                Sequence = sequence,
            };
            header.Sum = TunnelSum.Of(header, body);
            packet.Header<TunnelHeader>() = header;
            body.CopyTo(packet.WritableBody());
            server.Send(packet, cube.Shape.At(1));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        Come(7, 0);
        Come(7, 1);
        Come(8, 0);
        Come(7, 2);
        Come(7, 1);
        Come(8, 0);
        Come(8, 1);
        Assert.Equal((4, 2), (received, cube[1].Counters.Stale.Value));
        Assert.Equal(1, cube[1].Counters.Repeated.Value);

        // Whichever goes on is the later one.
        cube.Cube.Advance(TimeSpan.FromSeconds(1.5));
        Come(7, 0);
        Come(7, 1);
        Assert.Equal((6, 2), (received, cube[1].Counters.Stale.Value));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_cut_cable_is_gone_round_and_frames_to_nobody_are_counted()
    {
        using var cube = new TunnelCube(3, 1, 1);
        var traffic = new Traffic(cube);
        cube.Cube.Cut(cube.Shape.At(0), Link.XPlus);
        cube.Cube.AwaitConverged();
        traffic.Send(cube.Shape.At(0), cube.Shape.At(1), 1);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        traffic.AssertComplete();
        cube.Cube.Kill(cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        traffic.Send(cube.Shape.At(0), cube.Shape.At(1), 1);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal((2, 1), traffic.Counts);
        Assert.Equal(1, cube[0].Counters.Unreachable.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_flood_to_one_server_keeps_within_its_queue_and_lets_others_through()
    {
        using var cube = new TunnelCube(3, 3, 1, new TunnelOptions { QueueBytes = 512 << 10 });
        var traffic = new Traffic(cube);
        (Coordinate flooded, Coordinate other) = (cube.Shape.At(1), cube.Shape.At(2));
        for (int i = 0; i < 500; i++)
        {
            traffic.Send(default, flooded, 1, length: 8_000);
        }

        Assert.InRange(cube[0].Waiting.Leaving, 1, 512 * 1_024 / 8_000);
        Assert.InRange(cube[0].Counters.Full.Value, 400, 499);
        long before = cube.Cube.NowNanos;
        traffic.Send(default, other, 1);
        cube.Cube.AwaitUntil(() => cube[2].Counters.Written.Value > 0);
        Assert.InRange(cube.Cube.NowNanos - before, 0, 1_000_000);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Frames_of_IPv6_travel_as_those_of_IPv4()
    {
        using var cube = new TunnelCube(3, 3, 1);
        byte[]? came = null;
        Coordinate to = cube.Shape.At(8);
        cube.CardOf(to).Received = frame => came = frame.ToArray();
        byte[] sent = MachineFrame.Datagram6(cube.Addresses, default, to, 1, 77, length: 5_000);
        cube.CardOf(0).Send(sent);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(sent, came);
        cube.AssertNothingLeft();
    }

    private static void Everybody(TunnelCube cube, Action<Coordinate, Coordinate> act)
    {
        for (int from = 0; from < cube.Shape.Count; from++)
        {
            for (int to = 0; to < cube.Shape.Count; to++)
            {
                if (from != to && cube.Cube[from].IsRunning)
                {
                    act(cube.Shape.At(from), cube.Shape.At(to));
                }
            }
        }
    }
}
