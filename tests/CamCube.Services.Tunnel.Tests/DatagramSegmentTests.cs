using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Receiving;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Many datagrams in one piece (USO): cut for the cube, and at the other end each is as it was sent.</summary>
public sealed class DatagramSegmentTests
{
    [Theory]
    [InlineData(false, 1_000, 60_000)]
    [InlineData(true, 1_472, 64_001)]
    [InlineData(false, 8_900, 50_000)]
    [InlineData(true, 100, 12_345)]
    [InlineData(false, 1_000, 1_001)]
    public void Every_datagram_comes_as_it_was_sent_in_few_pieces(bool is6, int segment, int length)
    {
        using var cube = new TunnelCube(3, 3, 1);
        List<byte[]> came = [];
        Coordinate to = cube.Shape.At(1);
        cube.CardOf(to).Received = frame => came.Add(frame.ToArray());
        cube.CardOf(0).Send(Long(cube, 0, 1, is6, 7, segment, length));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        List<byte[]> datagrams = [.. came.SelectMany(frame => Datagrams(frame, is6))];
        Assert.Equal(Data(7, length).Chunk(segment), datagrams);
        Assert.InRange(came.Count, 1, (length / (8_900 / segment * segment)) + 1);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Of_a_crowd_with_losses_each_that_comes_is_one_that_was_sent_once_and_in_order(bool is6)
    {
        const int Length = 30_000,
            Segment = 700;
        using var cube = new TunnelCube(3, 3, 1);
        var came = new Dictionary<int, List<byte[]>>();
        cube.CardOf(4).Received = frame =>
        {
            int flow = BinaryPrimitives.ReadUInt16BigEndian(frame[(MachineFrame.Head + (is6 ? 40 : 20))..]);
            came.TryAdd(flow, []);
            came[flow].AddRange(Datagrams(frame.ToArray(), is6));
        };
        int packets = 0;
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x01B0 && ++packets % 7 == 3;
        for (int flow = 0; flow < 64; flow++)
        {
            int from = flow % 4 == 0 ? 0 : 1 + (flow % 3);
            cube.CardOf(from).Send(Long(cube, from, 4, is6, flow, Segment, Length));
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(200));
        int total = 0;
        foreach ((int flow, List<byte[]> datagrams) in came)
        {
            byte[][] sent = [.. Data(flow, Length).Chunk(Segment)];
            int at = -1;
            foreach (byte[] datagram in datagrams)
            {
                int found = Array.FindIndex(sent, at + 1, one => one.AsSpan().SequenceEqual(datagram));
                Assert.True(found > at, $"flow {flow}: a datagram that was not sent, or comes twice or too late");
                at = found;
                total++;
            }
        }

        Assert.InRange(total, 64 * 43 / 2, (64 * 43) - 1);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Pieces_of_another_flow_are_not_joined_even_if_their_numbers_fit()
    {
        using var cube = new TunnelCube(2, 1, 1);
        List<byte[]> came = [];
        cube.CardOf(1).Received = frame => came.Add(frame.ToArray());
        for (int i = 0; i < 2; i++)
        {
            Deliver(cube, Long(cube, 0, 1, is6: false, flow: 7 + i, 1_000, 16_000), i);
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(2, came.Count);
        Assert.Equal(Data(7, 16_000)[..8_000], Datagrams(came[0], is6: false).SelectMany(d => d));
        Assert.Equal(Data(8, 16_000)[8_000..], Datagrams(came[1], is6: false).SelectMany(d => d));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void What_cannot_be_is_a_counted_drop()
    {
        using var cube = new TunnelCube(2, 1, 1);
        byte[] good = Long(cube, 0, 1, is6: false, flow: 7, 1_000, 16_000);
        foreach (
            VirtioHeader wrong in new VirtioHeader[]
            {
                new() { SegmentKind = VirtioHeader.Tcp4, SegmentBytes = 1_000 },
                new() { SegmentKind = VirtioHeader.Udp, SegmentBytes = 0 },
                new() { SegmentKind = VirtioHeader.Udp, SegmentBytes = 9_000 },
                new() { SegmentKind = 3, SegmentBytes = 1_000 },
            }
        )
        {
            VirtioHeader header = wrong;
            (header.Flags, header.SumStart, header.SumOffset) = (VirtioHeader.NeedsSum, 34, 6);
            MemoryMarshal.Write(good, header);
            cube.CardOf(0).Send(good);
        }

        Assert.Equal(4, cube[0].Counters.Malformed.Value);
        cube.AssertNothingLeft();
    }

    // Packet number i of what a machine sends, as it comes out of its lane.
    private static void Deliver(TunnelCube cube, byte[] sent, int number)
    {
        IServer server = cube.Cube[1].ServerOf<TunnelService>();
        Assert.True(InternetView.TryRead(EtherTypes.Internet4, sent.AsSpan(MachineFrame.Head), out InternetView view));
        Assert.True(PacketSegments.TryRead(view, 1_000, cube[0].Mtu, out PacketSegments segments));
        Assert.True(server.Packets.TryRent(segments.LengthOf(number), out Packet? packet));
        segments.Write(number, packet.WritableBody());
        packet.Header<TunnelHeader>() = new TunnelHeader
        {
            Sequence = (uint)number,
            EtherType = EtherTypes.Internet4,
            Flags = number == 0 ? TunnelFlags.First | TunnelFlags.PartialSum : TunnelFlags.PartialSum,
            SumStart = (ushort)view.HeaderLength,
            SumOffset = 6,
            SegmentKind = VirtioHeader.Udp,
            SegmentBytes = 1_000,
            HeaderBytes = (byte)segments.HeaderLength,
        };
        ((ILaneEnd)cube[1]).Deliver(packet);
        server.Packets.Release(packet);
    }

    private static byte[] Data(int flow, int length)
    {
        byte[] data = new byte[length];
        new Random(flow).NextBytes(data);
        return data;
    }

    // What the system makes of a frame.
    private static byte[][] Datagrams(byte[] frame, bool is6)
    {
        ReadOnlySpan<byte> ip = frame.AsSpan(MachineFrame.Head);
        ushort etherType = is6 ? EtherTypes.Internet6 : EtherTypes.Internet4;
        Assert.True(InternetView.TryRead(etherType, ip, out InternetView view));
        VirtioHeader virtio = MemoryMarshal.Read<VirtioHeader>(frame);
        Assert.Equal(VirtioHeader.NeedsSum, virtio.Flags);
        Assert.Equal((view.HeaderLength + 14, 6), (virtio.SumStart, virtio.SumOffset));
        ReadOnlySpan<byte> udp = view.Payload,
            addresses = is6 ? ip.Slice(8, 32) : ip.Slice(12, 8);
        Assert.Equal(udp.Length, BinaryPrimitives.ReadUInt16BigEndian(udp[4..]));
        Assert.Equal(
            InternetSum.Fold(InternetSum.Pseudo(addresses, EtherTypes.Udp, udp.Length)),
            BinaryPrimitives.ReadUInt16BigEndian(udp[6..])
        );
        byte[] data = udp[8..].ToArray();
        if (virtio.SegmentKind == 0)
        {
            return [data];
        }

        Assert.Equal(VirtioHeader.Udp, virtio.SegmentKind);
        Assert.Equal(view.HeaderLength + 22, virtio.HeaderBytes);
        Assert.True(data.Length > virtio.SegmentBytes);
        return [.. data.Chunk(virtio.SegmentBytes)];
    }

    private static byte[] Long(TunnelCube cube, int from, int to, bool is6, int flow, int segment, int length)
    {
        (Coordinate a, Coordinate b) = (cube.Shape.At(from), cube.Shape.At(to));
        byte[] frame = is6
            ? MachineFrame.Datagram6(cube.Addresses, a, b, (ushort)flow, 1, length)
            : MachineFrame.Datagram4(cube.Addresses, a, b, (ushort)flow, 1, length);
        int internet = is6 ? 40 : 20;
        Data(flow, length).CopyTo(frame, MachineFrame.Head + internet + 8);
        PacketSegments.SetLength(frame.AsSpan(MachineFrame.Head), is6, internet);
        MemoryMarshal.Write(
            frame,
            new VirtioHeader
            {
                Flags = VirtioHeader.NeedsSum,
                SegmentKind = VirtioHeader.Udp,
                HeaderBytes = (ushort)(internet + 22),
                SegmentBytes = (ushort)segment,
                SumStart = (ushort)(internet + 14),
                SumOffset = 6,
            }
        );
        return frame;
    }
}
