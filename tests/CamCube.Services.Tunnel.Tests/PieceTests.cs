using CamCube.Faults;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Frames longer than a packet: whole at the other end, or not at all.</summary>
public sealed class PieceTests
{
    private const int Most = 65_521;
    private const int Around = 28;

    [Theory]
    [InlineData(9_014, 3, 3, 1)]
    [InlineData(1_514, 4, 1, 1)]
    [InlineData(1_514, 2, 2, 2)]
    public void What_a_crowd_sends_comes_whole_once_and_in_order(int frame, int x, int y, int z)
    {
        using TunnelCube cube = Of(frame, x, y, z);
        var traffic = new Traffic(cube);
        var random = new Random(1);
        for (int round = 0; round < 30; round++)
        {
            for (int from = 0; from < cube.Shape.Count; from++)
            {
                int to = (from + 1 + random.Next(cube.Shape.Count - 1)) % cube.Shape.Count,
                    length = round == 0 ? Most - Around : random.Next(12, Most - Around + 1);
                traffic.Send(cube.Shape.At(from), cube.Shape.At(to), (ushort)random.Next(4), length);
                traffic.Send(cube.Shape.At(from), cube.Shape.At(to), (ushort)random.Next(4), length: 60);
            }

            cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        traffic.AssertComplete();
        cube.AssertNothingLeft();
        Assert.True(cube[0].Counters.Cut.Value > 10 && cube[0].Counters.Joined.Value > 10);
        Assert.Equal(0, cube[0].Counters.Broken.Value);
    }

    [Fact]
    public void Every_length_around_the_ends_of_pieces_comes()
    {
        using TunnelCube cube = Of(1_514, 2, 1, 1);
        var traffic = new Traffic(cube);
        int room = cube.Cube[0].ServerOf<TunnelService>().Packets.MaxPayload - TunnelHeader.Length;
        for (int pieces = 1; pieces < 4; pieces++)
        {
            for (int length = (pieces * room) - Around - 2; length < (pieces * room) - Around + 3; length++)
            {
                traffic.Send(default, cube.Shape.At(1), 1, length);
            }
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        traffic.AssertComplete();
        Assert.Equal(12, cube[0].Counters.Cut.Value);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(8)]
    public void A_lost_piece_costs_its_frame_and_no_other(int lost)
    {
        using TunnelCube cube = Of(9_014, 3, 1, 1);
        var traffic = new Traffic(cube);
        int packets = 0;
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x01B0 && ++packets == 8 + lost;
        for (int i = 0; i < 5; i++)
        {
            traffic.Send(default, cube.Shape.At(1), 1, Most - Around);
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal((5, 4), traffic.Counts);

        // Whatever was there of it: a piece that another one lost costs is counted.
        Assert.Equal(7, cube[1].Counters.Broken.Value);
        Assert.Equal((0, 0), cube[1].Waiting);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_frame_whose_end_does_not_come_is_given_up_in_time()
    {
        using TunnelCube cube = Of(9_014, 3, 1, 1, new TunnelOptions { Mtu = Most, Paths = TunnelPaths.One });
        var traffic = new Traffic(cube);
        int packets = 0;
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x01B0 && ++packets > 3;
        traffic.Send(default, cube.Shape.At(1), 1, Most - Around);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(900));
        Assert.Equal((0, 1), cube[1].Waiting);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(200));
        Assert.Equal((0, 0), cube[1].Waiting);
        Assert.Equal(3, cube[1].Counters.Broken.Value);
        cube.Cube.Lose = null;
        traffic.Send(default, cube.Shape.At(1), 1, Most - Around);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal((2, 1), traffic.Counts);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Lost_doubled_and_bent_pieces_never_come_out_and_stop_nobody()
    {
        using TunnelCube cube = Of(9_014, 3, 3, 1);
        var traffic = new Traffic(cube);
        LinkScope scope = LinkScope.All.OfService(new ServiceId(0x01B0));
        using (cube.Cube.LinkFaults.Add(new PacketLoss(0.01), scope))
        using (cube.Cube.LinkFaults.Add(new PacketDuplication(0.05), scope))
        using (cube.Cube.LinkFaults.Add(new PacketCorruption(0.01), scope))
        {
            for (int round = 0; round < 200; round++)
            {
                for (int from = 0; from < 9; from++)
                {
                    int to = (from + 1 + (round % 8)) % 9;
                    traffic.Send(cube.Shape.At(from), cube.Shape.At(to), (ushort)(round % 4), 30_000);
                }

                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            }
        }

        (int sent, int received) = traffic.Counts;
        Assert.InRange(received, sent * 7 / 10, sent - 1);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void When_a_server_dies_under_a_crowd_the_others_go_on()
    {
        using TunnelCube cube = Of(9_014, 3, 3, 1);
        var traffic = new Traffic(cube);
        Coordinate dead = cube.Shape.At(4);
        for (int round = 0; round < 600; round++)
        {
            if (round == 100)
            {
                cube.Cube.Kill(dead);
            }

            for (int from = 0; from < 9; from++)
            {
                (Coordinate at, Coordinate to) = (cube.Shape.At(from), cube.Shape.At((from + 1 + (round % 8)) % 9));
                if (at != dead && to != dead && round is < 100 or >= 400)
                {
                    traffic.Send(at, to, 1, 40_000);
                }
            }

            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        (int sent, int received) = traffic.Counts;
        Assert.InRange(received, sent - 40, sent);
        Assert.Equal(0, traffic.OutOfOrder);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Who_begins_frames_and_never_ends_them_takes_no_room_of_others()
    {
        using TunnelCube cube = Of(9_014, 3, 3, 1, new TunnelOptions { Mtu = Most, JoinedFrames = 8 });
        var traffic = new Traffic(cube);
        IServer hostile = cube.Cube[8].ServerOf<TunnelService>();
        Coordinate to = cube.Shape.At(1);
        uint number = 0;
        for (int round = 0; round < 50; round++)
        {
            for (byte lane = 0; lane < TunnelHeader.Lanes; lane++)
            {
                Send(hostile, to, lane, number, TunnelFlags.First);
            }

            number++;
            for (int from = 2; from < 8; from++)
            {
                traffic.Send(cube.Shape.At(from), to, 1, 30_000);
            }

            cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
            Assert.InRange(cube[1].Waiting.Coming, 0, 8);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        traffic.AssertComplete();
        Assert.Equal(50 * TunnelHeader.Lanes, cube[1].Counters.Broken.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Pieces_that_are_put_together_to_what_cannot_be_do_not_come_out()
    {
        using TunnelCube cube = Of(9_014, 3, 1, 1);
        int came = 0;
        cube.CardOf(1).Received = _ => came++;
        IServer hostile = cube.Cube[0].ServerOf<TunnelService>();
        Coordinate to = cube.Shape.At(1);

        // Nothing, longer than any frame, one that is none, and one without a beginning.
        Send(hostile, to, 1, 0, TunnelFlags.First, length: 0);
        for (uint i = 0; i < 9; i++)
        {
            Send(hostile, to, 2, i, i == 0 ? TunnelFlags.First : TunnelFlags.None, length: 8_900);
        }

        Send(hostile, to, 3, 0, TunnelFlags.First);
        Send(hostile, to, 3, 1, TunnelFlags.Last);
        Send(hostile, to, 4, 0, TunnelFlags.Last);
        Send(hostile, to, 5, 0, TunnelFlags.First);
        Send(hostile, to, 5, 1, TunnelFlags.PartialSum | TunnelFlags.Last);
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(0, came);
        Assert.Equal(3, cube[1].Counters.Refused.Value);
        Assert.Equal(9 + 1 + 1, cube[1].Counters.Broken.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Frames_that_wait_too_long_are_dropped_whole()
    {
        using var cube = new TunnelCube(
            3,
            1,
            1,
            new TunnelOptions
            {
                Mtu = Most,
                QueueBytes = 64 << 20,
                QueuePackets = 8_192,
            },
            new SimulatorOptions { LinkBitsPerSecond = 1_000_000_000 }
        );
        var traffic = new Traffic(cube);
        for (int i = 0; i < 3_000; i++)
        {
            // 40 KB in 120 us are more than two links carry.
            traffic.Send(default, cube.Shape.At(1), 1, 40_000);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(120));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        (int sent, int received) = traffic.Counts;
        Assert.InRange(received, sent / 3, sent - 3);
        Assert.Equal((5 * (sent - received), 0), (cube[0].Counters.Shed.Value, cube[0].Counters.Full.Value));
        Assert.Equal(0, cube[1].Counters.Broken.Value);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Segments_of_TCP_longer_than_a_packet_come_one_by_one(bool is6)
    {
        using TunnelCube cube = Of(9_014, 3, 1, 1, new TunnelOptions { Mtu = 30_000 });
        List<byte[]> came = [];
        Coordinate to = cube.Shape.At(1);
        cube.CardOf(1).Received = frame => came.Add(frame.ToArray());
        cube.CardOf(0).Send(SegmentTests.Long(cube, to, is6, segment: 29_900, length: 65_000, SegmentTests.All));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(3, SegmentTests.Check(came, is6, segment: 29_900, length: 65_000));

        // Segments longer than the MTU are none.
        cube.CardOf(0).Send(SegmentTests.Long(cube, to, is6, segment: 30_000, length: 65_000, SegmentTests.All));
        Assert.Equal(1, cube[0].Counters.Malformed.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Longer_than_the_MTU_is_too_long_and_so_is_for_all_what_does_not_fit_into_a_packet()
    {
        using TunnelCube cube = Of(9_014, 3, 1, 1, new TunnelOptions { Mtu = 20_000 });
        var traffic = new Traffic(cube);
        Assert.Equal(20_000, cube.CardOf(0).Terms.Mtu);
        traffic.Send(default, cube.Shape.At(1), 1, 20_000 - Around);
        cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, default, cube.Shape.At(1), 1, 1, 20_001 - Around));
        cube.CardOf(0).Send(FloodTraffic.Frame(cube, 0, 1, 1, length: 10_000));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        traffic.AssertComplete();
        Assert.Equal(2, cube[0].Counters.TooLong.Value);
        cube.AssertNothingLeft();
    }

    private static TunnelCube Of(int frame, int x, int y, int z, TunnelOptions? options = null) =>
        new(x, y, z, options ?? new TunnelOptions { Mtu = Most }, new SimulatorOptions { MaxFrameLength = frame });

    private static void Send(IServer from, Coordinate to, byte lane, uint number, TunnelFlags flags, int length = 100)
    {
        Assert.True(from.Packets.TryRent(length, out Packet? packet));
        packet.WritableBody().Clear();
        var header = new TunnelHeader
        {
            EtherType = EtherTypes.Internet4,
            Flags = flags,
            Lane = lane,
            Path = TunnelHeader.NoPath,
            Paths = 1,
            Run = 7,
            Sequence = number,
        };
        header.Sum = TunnelSum.Of(header, packet.Body);
        packet.Header<TunnelHeader>() = header;
        from.Send(packet, to);
    }
}
