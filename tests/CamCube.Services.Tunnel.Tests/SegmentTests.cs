using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Receiving;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Long TCP packets: cut for the cube, and whole or in valid parts at the other end.</summary>
public sealed class SegmentTests
{
    private const int TcpHeader = 32;
    private const byte Fin = 1,
        Push = 8,
        Ack = 16,
        Reduced = 128;

    internal const byte All = Fin | Push | Ack | Reduced;

    [Theory]
    [InlineData(false, 8_896, 60_000)]
    [InlineData(true, 8_876, 60_000)]
    [InlineData(false, 1_448, 65_000)]
    [InlineData(true, 536, 10_001)]
    [InlineData(false, 1_000, 1_001)]
    public void A_long_packet_comes_out_as_one_that_says_the_same(bool is6, int segment, int length)
    {
        using var cube = new TunnelCube(3, 3, 1);
        List<byte[]> came = [];
        Coordinate to = cube.Shape.At(1);
        cube.CardOf(to).Received = frame => came.Add(frame.ToArray());
        byte[] sent = Long(cube, to, is6, segment, length, All);
        cube.CardOf(0).Send(sent);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        int joined = Check(came, is6, segment, length);
        Assert.InRange(joined, 1, (length / (8_948 - 92)) + 1);
        Assert.Equal(0, cube[0].Counters.Malformed.Value + cube[1].Counters.Refused.Value);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(false, 8_896)]
    [InlineData(true, 1_428)]
    public void Packets_that_come_in_one_step_are_joined(bool is6, int segment)
    {
        using var cube = new TunnelCube(2, 1, 1);
        List<byte[]> came = [];
        cube.CardOf(1).Received = frame => came.Add(frame.ToArray());
        byte[] sent = Long(cube, cube.Shape.At(1), is6, segment, 60_000, All);
        ushort etherType = is6 ? EtherTypes.Internet6 : EtherTypes.Internet4;
        Assert.True(InternetView.TryRead(etherType, sent.AsSpan(MachineFrame.Head), out InternetView view));
        Assert.True(PacketSegments.TryRead(view, segment, cube[0].Mtu, out PacketSegments segments));
        Assert.InRange(segments.Count, 6, 8);
        IServer server = cube.Cube[1].ServerOf<TunnelService>();
        for (int i = 0; i < segments.Count; i++)
        {
            Assert.True(server.Packets.TryRent(segments.LengthOf(i), out Packet? packet));
            segments.Write(i, packet.WritableBody());
            packet.Header<TunnelHeader>() = new TunnelHeader
            {
                Sequence = (uint)i,
                EtherType = etherType,
                Flags = i == 0 ? TunnelFlags.First | TunnelFlags.PartialSum : TunnelFlags.PartialSum,
                SumStart = (ushort)view.HeaderLength,
                SumOffset = 16,
                SegmentKind = is6 ? VirtioHeader.Tcp6 : VirtioHeader.Tcp4,
                SegmentBytes = (ushort)segment,
                HeaderBytes = (byte)segments.HeaderLength,
            };
            ((ILaneEnd)cube[1]).Deliver(packet);
            server.Packets.Release(packet);
        }

        // Its last packet does not say so: what is there is given at the end of the step.
        Assert.Empty(came);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, Check(came, is6, segment, 60_000));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void When_some_are_lost_the_others_come_out_valid()
    {
        using var cube = new TunnelCube(3, 3, 1);
        List<byte[]> came = [];
        Coordinate to = cube.Shape.At(1);
        cube.CardOf(to).Received = frame => came.Add(frame.ToArray());
        int packets = 0;
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x01B0 && ++packets is 2 or 5;
        cube.CardOf(0).Send(Long(cube, to, is6: false, 1_448, 60_000, Push | Ack));
        cube.Cube.Advance(3 * cube.Options.MostWait);
        byte[] data = new byte[60_000];
        int bytes = came.Sum(frame => ReadData(frame, is6: false, data));
        Assert.InRange(bytes, 30_000, 55_000);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void An_unfinished_checksum_travels_and_one_outside_of_the_packet_does_not()
    {
        using var cube = new TunnelCube(3, 1, 1);
        byte[]? came = null;
        Coordinate to = cube.Shape.At(1);
        cube.CardOf(1).Received = frame => came = frame.ToArray();
        byte[] sent = MachineFrame.Datagram4(cube.Addresses, default, to, 1, 1);
        VirtioHeader virtio = new()
        {
            Flags = VirtioHeader.NeedsSum,
            SumStart = 34,
            SumOffset = 6,
        };
        MemoryMarshal.Write(sent, virtio);
        cube.CardOf(0).Send(sent);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(sent, came);
        virtio.SumStart = 140;
        MemoryMarshal.Write(sent, virtio);
        cube.CardOf(0).Send(sent);
        virtio.SumStart = 3;
        MemoryMarshal.Write(sent, virtio);
        cube.CardOf(0).Send(sent);
        virtio = new VirtioHeader { SegmentKind = VirtioHeader.Tcp4, SegmentBytes = 100 };
        MemoryMarshal.Write(sent, virtio);
        cube.CardOf(0).Send(sent);
        byte[] tcp = Long(cube, to, is6: false, 0, 5_000, Ack);
        cube.CardOf(0).Send(tcp);
        Assert.Equal(4, cube[0].Counters.Malformed.Value);
        cube.AssertNothingLeft();
    }

    // What a network card does with these frames: segments, one by one, must be the data that was sent, in order.
    internal static int Check(List<byte[]> came, bool is6, int segment, int length)
    {
        byte[] data = new byte[length];
        int at = 0;
        foreach (byte[] frame in came)
        {
            VirtioHeader virtio = MemoryMarshal.Read<VirtioHeader>(frame);
            int carried = ReadData(frame, is6, data);
            Assert.Equal(carried > segment, virtio.SegmentKind != 0);
            Assert.True(virtio.SegmentKind == 0 || virtio.SegmentBytes == segment);
            byte flags = frame[MachineFrame.Head + (is6 ? 40 : 20) + 13];
            Assert.Equal(at == 0, (flags & Reduced) != 0);
            Assert.Equal(virtio.SegmentKind != 0 && at == 0, (virtio.SegmentKind & VirtioHeader.Ecn) != 0);
            at += carried;
            Assert.Equal(at == length, (flags & (Fin | Push)) != 0);
        }

        Assert.Equal(length, at);
        Assert.Equal([.. Enumerable.Range(0, length).Select(i => (byte)(i * 7))], data);
        return came.Count;
    }

    private static int ReadData(byte[] frame, bool is6, byte[] data)
    {
        ReadOnlySpan<byte> ip = frame.AsSpan(MachineFrame.Head);
        ushort etherType = is6 ? EtherTypes.Internet6 : EtherTypes.Internet4;
        Assert.True(InternetView.TryRead(etherType, ip, out InternetView view));
        Assert.Equal(ip.Length, view.Bytes.Length);
        if (!is6)
        {
            Assert.Equal(0xFFFF, InternetSum.Fold(InternetSum.Add(0, ip[..20])));
        }

        VirtioHeader virtio = MemoryMarshal.Read<VirtioHeader>(frame);
        Assert.Equal(VirtioHeader.NeedsSum, virtio.Flags);
        Assert.Equal((view.HeaderLength + 14, 16), (virtio.SumStart, virtio.SumOffset));
        ReadOnlySpan<byte> tcp = view.Payload,
            addresses = is6 ? ip.Slice(8, 32) : ip.Slice(12, 8);
        Assert.Equal(
            InternetSum.Fold(InternetSum.Pseudo(addresses, EtherTypes.Tcp, tcp.Length)),
            BinaryPrimitives.ReadUInt16BigEndian(tcp[16..])
        );
        int at = (int)(BinaryPrimitives.ReadUInt32BigEndian(tcp[4..]) - 0xFFFF_F000);
        tcp[TcpHeader..].CopyTo(data.AsSpan(at));
        return tcp.Length - TcpHeader;
    }

    internal static byte[] Long(TunnelCube cube, Coordinate to, bool is6, int segment, int length, byte flags)
    {
        int internet = is6 ? 40 : 20;
        byte[] frame = is6
            ? MachineFrame.Datagram6(cube.Addresses, default, to, 9, 1, length + TcpHeader - 8)
            : MachineFrame.Datagram4(cube.Addresses, default, to, 9, 1, length + TcpHeader - 8);
        Span<byte> ip = frame.AsSpan(MachineFrame.Head),
            tcp = ip[internet..];
        ip[is6 ? 6 : 9] = EtherTypes.Tcp;
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], 0xFFFF_F000);
        (tcp[12], tcp[13]) = (TcpHeader / 4 << 4, flags);
        for (int i = 0; i < length; i++)
        {
            tcp[TcpHeader + i] = (byte)(i * 7);
        }

        PacketSegments.SetLength(ip, is6, internet);
        byte kind = is6 ? VirtioHeader.Tcp6 : VirtioHeader.Tcp4;
        MemoryMarshal.Write(
            frame,
            new VirtioHeader
            {
                Flags = VirtioHeader.NeedsSum,
                SegmentKind = (byte)(kind | VirtioHeader.Ecn),
                SegmentBytes = (ushort)segment,
                SumStart = (ushort)(internet + 14),
                SumOffset = 16,
            }
        );
        return frame;
    }
}
