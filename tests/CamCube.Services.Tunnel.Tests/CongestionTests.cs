using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>More than the links carry: who loses, who is marked, and who does not wait.</summary>
public sealed class CongestionTests
{
    private const int Length = 8_900;
    private static readonly TimeSpan Step = TimeSpan.FromMicroseconds(50);

    [Fact]
    public void Beside_a_crowd_and_a_flood_a_ping_does_not_wait_and_who_understands_marks_loses_nothing()
    {
        using var cube = new TunnelCube(3, 1, 1);
        Coordinate to = cube.Shape.At(1);
        ushort[] names = LanesOfTheirOwn(cube, to, 17);

        // The ping shares the flood's lane, but not its queue.
        names = [.. names, LaneOf(cube, to, names[16])];
        MachineFlow[] crowd =
        [
            .. names[..16]
                .Select((name, i) => new MachineFlow(cube, default, to, name, Length) { IsCapable = i % 2 == 0 }),
        ];
        var flood = new MachineFlow(cube, default, to, names[16], Length) { Always = 2 };
        MachineFlow[] flows = [.. crowd, flood];
        long sentNanos = 0,
            longest = 0;
        int pings = 0;
        cube.CardOf(to).Received = frame =>
        {
            (ushort name, _) = MachineFrame.Read4(frame);
            if (name == names[17])
            {
                longest = Math.Max(longest, cube.Cube.NowNanos - sentNanos);
                pings++;
                return;
            }

            flows.First(one => one.Flow == name).Receive(frame);
        };
        (int Came, int Lost, int Marked)[] before = [];
        const int Steps = 60_000,
            Warm = 20_000;
        for (int step = 0; step < Steps; step++)
        {
            if (step == Warm)
            {
                (before, longest, pings) = ([.. flows.Select(one => one.Counts)], 0, 0);
            }

            foreach (MachineFlow one in flows)
            {
                one.Send();
            }

            if (step % 200 == 0)
            {
                sentNanos = cube.Cube.NowNanos;
                cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, default, to, names[17], step));
            }

            cube.Cube.Advance(Step);
        }

        // Two links of 1 Gbit/s carry so many in 2 s.
        double whole = 2 * 2 * 1e9 / 8 / (Length + 28 + TunnelHeader.Length + Packet.FrameOverhead);
        (int Came, int Lost, int Marked)[] counts =
        [
            .. flows.Zip(
                before,
                (one, b) => (one.Counts.Came - b.Came, one.Counts.Lost - b.Lost, one.Counts.Marked - b.Marked)
            ),
        ];
        Assert.InRange(counts.Sum(one => one.Came), 0.97 * whole, 1.01 * whole);
        Assert.Equal(200, pings);
        Assert.InRange(longest, 0, 500_000);
        double share = whole / flows.Length;
        Assert.InRange(counts[^1].Came, 0.9 * share, 1.5 * share);
        Assert.All(crowd, (one, i) => Assert.InRange(counts[i].Came, 0.6 * share, 1.2 * share));
        Assert.All(crowd.Where(one => one.IsCapable), one => Assert.Equal(0, one.Counts.Lost));
        Assert.InRange(crowd.Sum(one => one.Counts.Marked), 20, 2_000);

        // Those that do not understand marks lose about as many as the others are marked.
        int lost = crowd.Where(one => !one.IsCapable).Sum(one => one.Counts.Lost);
        Assert.InRange(lost, 20, 2_000);
        Assert.Equal(0, cube[1].Counters.Late.Value);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(1, 0, 0)]
    [InlineData(3, 2, 100)]
    public void What_the_machine_gives_in_one_piece_may_wait_for_itself(int pieces, int least, int most)
    {
        // 64 KiB take 26 ms on a link of 20 Mbit/s, five times the target.
        var simulator = new SimulatorOptions { LinkBitsPerSecond = 20_000_000 };
        var options = new TunnelOptions { Paths = TunnelPaths.One };
        using var cube = new TunnelCube(3, 1, 1, options, simulator);
        byte[] frame = SegmentTests.Long(cube, cube.Shape.At(1), is6: false, 1_448, 60_000, flags: 16);
        for (int i = 0; i < 40; i++)
        {
            while (cube[0].Waiting.Leaving < (8 * pieces) - 7)
            {
                cube.CardOf(0).Send([.. frame]);
            }

            cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
        }

        Assert.InRange(cube[0].Counters.Shed.Value, least, most);
        Assert.True(cube[0].Counters.Sent.Value > 100);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Small_packets_of_a_flood_do_not_take_all_places()
    {
        using var cube = new TunnelCube(3, 3, 1, new TunnelOptions { QueuePackets = 64 });
        var traffic = new Traffic(cube);
        Coordinate to = cube.Shape.At(5);
        traffic.Send(default, to, 1);
        for (int i = 0; i < 1_000; i++)
        {
            traffic.Send(default, cube.Shape.At(1), 2, length: 20);
        }

        Assert.Equal(64, cube[0].Waiting.Leaving);
        Assert.Equal(1_001 - 64, cube[0].Counters.Full.Value);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        traffic.AssertComplete((_, end) => end == to);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_long_queue_on_the_way_is_said_to_those_who_understand_it()
    {
        var options = new TunnelOptions
        {
            Paths = TunnelPaths.One,
            QueueTarget = TimeSpan.FromMilliseconds(1),
            QueueInterval = TimeSpan.FromMilliseconds(5),
        };
        using var cube = new TunnelCube(5, 1, 1, options);
        Coordinate between = cube.Shape.At(1),
            to = cube.Shape.At(2);
        Dictionary<(bool Is6, bool IsCapable), (int Came, int Marked)> counts = [];
        cube.CardOf(to).Received = frame =>
        {
            bool is6 = frame[MachineFrame.Head] >> 4 == 6;
            ReadOnlySpan<byte> ip = frame[MachineFrame.Head..];
            ushort etherType = is6 ? EtherTypes.Internet6 : EtherTypes.Internet4;
            Assert.True(InternetView.TryRead(etherType, ip, out InternetView view));
            Assert.True(is6 || InternetSum.Fold(InternetSum.Add(0, ip[..20])) == 0xFFFF);
            (int came, int marked) = counts.GetValueOrDefault((is6, Congestion.Of(ip) != 0));
            marked += Congestion.Of(ip) == Congestion.Marked ? 1 : 0;
            bool isFirst = is6
                ? cube.Addresses.TryFind6(view.Source, out Coordinate from) && from == default
                : ip[15] == 1;
            if (isFirst)
            {
                counts[(is6, Congestion.Of(ip) != 0)] = (came + 1, marked);
            }
            else
            {
                Assert.Equal(0, Congestion.Of(ip));
            }
        };
        for (int i = 0; i < 2_000; i++)
        {
            ushort flow = (ushort)(i % 7);
            byte[] v4 = MachineFrame.Datagram4(cube.Addresses, default, to, flow, i, Length),
                v6 = MachineFrame.Datagram6(cube.Addresses, default, to, flow, i, Length - 20);
            cube.CardOf(0).Send(i % 2 == 0 ? MachineFlow.Capable(v4) : v4);
            cube.CardOf(0).Send(i % 2 == 0 ? MachineFlow.Capable(v6) : v6);
            cube.CardOf(between).Send(MachineFrame.Datagram4(cube.Addresses, between, to, flow, i, Length));
            cube.CardOf(between).Send(MachineFrame.Datagram4(cube.Addresses, between, to, flow, i, Length));
            cube.Cube.Advance(3 * Step);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(4, counts.Count);
        Assert.InRange(counts[(false, true)].Marked, 20, counts[(false, true)].Came);
        Assert.InRange(counts[(true, true)].Marked, 20, counts[(true, true)].Came);
        Assert.Equal((0, 0), (counts[(false, false)].Marked, counts[(true, false)].Marked));
        Assert.True(cube[between].Counters.Marked.Value > 40);
        Assert.True(cube[between].Counters.Shed.Value > 40);
        Assert.Equal(0, cube[to].Counters.Damaged.Value);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Marks_stand_where_RFC_3168_has_them_and_checksums_stay_right(bool is6)
    {
        using var cube = new TunnelCube(3, 1, 1);
        byte[] frame = is6
            ? MachineFrame.Datagram6(cube.Addresses, default, cube.Shape.At(1), 1, 1)
            : MachineFrame.Datagram4(cube.Addresses, default, cube.Shape.At(1), 1, 1);
        byte[] packet = frame[MachineFrame.Head..];
        Assert.False(Congestion.TryMark(packet));
        Assert.Equal(frame[MachineFrame.Head..], packet);
        packet = MachineFlow.Capable(frame)[MachineFrame.Head..];
        Assert.Equal((2, true), (Congestion.Of(packet), Congestion.TryMark(packet)));
        Assert.Equal(3, is6 ? (packet[0] << 8 | packet[1]) >> 4 & 3 : packet[1] & 3);
        Assert.True(is6 || InternetSum.Fold(InternetSum.Add(0, packet.AsSpan(0, 20))) == 0xFFFF);
        packet[1] ^= (byte)(is6 ? 0x10 : 1);
        Assert.Equal(2, Congestion.Of(packet));
        Assert.False(Congestion.CanBeMarked(packet.AsSpan(0, 10)));
    }

    // The name of another flow of a flow's lane that has a queue of its own.
    private static ushort LaneOf(TunnelCube cube, Coordinate to, ushort flow)
    {
        const uint Queues = 256;
        uint hash = HashOf(cube, to, flow);
        for (ushort name = 1; ; name++)
        {
            uint other = HashOf(cube, to, name);
            if (other % TunnelHeader.Lanes == hash % TunnelHeader.Lanes && other % Queues != hash % Queues)
            {
                return name;
            }
        }
    }

    private static uint HashOf(TunnelCube cube, Coordinate to, ushort flow)
    {
        byte[] frame = MachineFrame.Datagram4(cube.Addresses, default, to, flow, 1);
        Assert.True(InternetView.TryRead(EtherTypes.Internet4, frame.AsSpan(MachineFrame.Head), out InternetView view));
        return view.FlowHash();
    }

    // Names of flows of which no two share a lane.
    private static ushort[] LanesOfTheirOwn(TunnelCube cube, Coordinate to, int count)
    {
        List<ushort> names = [];
        HashSet<uint> lanes = [];
        for (ushort name = 1; names.Count < count; name++)
        {
            if (lanes.Add(HashOf(cube, to, name) % TunnelHeader.Lanes))
            {
                names.Add(name);
            }
        }

        return [.. names];
    }
}
