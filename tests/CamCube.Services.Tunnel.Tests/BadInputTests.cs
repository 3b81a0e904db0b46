using System.Buffers.Binary;
using System.Net;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;
using CamCube.Tests;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Frames and packets that cannot be: a counted drop each, never a fault, a leak, or a frame for somebody.
/// </summary>
public sealed class BadInputTests
{
    [Fact]
    public void Nothing_that_a_machine_sends_makes_the_tunnel_fault_or_come_out_under_a_wrong_name()
    {
        using var cube = new TunnelCube(3, 3, 1);
        Coordinate to = cube.Shape.At(1);
        int came = 0;
        for (int rank = 0; rank < 9; rank++)
        {
            // What comes at home are answers.
            bool isHome = rank == 0;
            cube.CardOf(rank).Received = frame => came += isHome || IsFrom(cube, frame, default) ? 1 : 1_000_000;
        }

        byte[] arp = Arp(cube, cube.Addresses.Internet4Of(to));
        byte[][] good =
        [
            MachineFrame.Datagram4(cube.Addresses, default, to, 1, 1),
            MachineFrame.Datagram6(cube.Addresses, default, to, 1, 1),
            arp,
        ];
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < count / 4; i++)
                {
                    byte[] bent = random.Bend(
                        good[random.Next(good.Length)],
                        good[random.Next(good.Length)],
                        random.Next(50) == 0 ? 66_000 : 200
                    );
                    cube.CardOf(0).Send(bent);
                    if (i % 64 == 0)
                    {
                        cube.Cube.Advance(TimeSpan.FromMicroseconds(200));
                    }
                }
            }
        );
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.InRange(came, 1, 999_999);
        Assert.True(cube[0].Counters.Spoofed.Value > 10);
        Assert.True(cube[0].Counters.Malformed.Value > 10);
        Assert.True(cube[0].Counters.Foreign.Value > 10);
        Assert.Empty(cube.Cube.Faults);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Nothing_that_a_server_sends_makes_another_fault_or_comes_out_under_a_wrong_name()
    {
        using var cube = new TunnelCube(3, 3, 1);
        Coordinate hostile = cube.Shape.At(0);
        int came = 0;
        for (int rank = 1; rank < 9; rank++)
        {
            cube.CardOf(rank).Received = frame => came += IsFrom(cube, frame, hostile) ? 1 : 1_000_000;
        }

        IServer server = cube.Cube[0].ServerOf<TunnelService>();
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < count / 4; i++)
                {
                    Coordinate to = cube.Shape.At(random.Next(1, 9));
                    byte[] frame = MachineFrame.Datagram4(cube.Addresses, hostile, to, 1, i);
                    byte[] body = frame[MachineFrame.Head..];
                    body = random.Next(3) == 0 ? random.Bend(body, body, 2_000) : body;
                    TunnelHeader header = default;
                    Span<byte> bytes = MemoryMarshal.AsBytes(new Span<TunnelHeader>(ref header));
                    random.NextBytes(bytes);
                    header.Lane = (byte)random.Next(70);
                    header.EtherType = random.Next(5) == 0 ? header.EtherType : EtherTypes.Internet4;
                    header.Path = (byte)(random.Next(5) == 0 ? header.Path : TunnelHeader.NoPath);
                    header.Run = (ushort)random.Next(2);
                    if (random.Next(2) == 0)
                    {
                        header.Flags &= ~TunnelFlags.PartialSum;
                        (header.SegmentKind, header.SegmentBytes) = (0, 0);
                    }

                    header.Sequence = random.Next(2) == 0 ? header.Sequence : (uint)random.Next(1_000);
                    header.Sum = random.Next(4) == 0 ? header.Sum : TunnelSum.Of(header, body);
                    if (server.Packets.TryRent(body.Length, out Packet? packet))
                    {
                        packet.Header<TunnelHeader>() = header;
                        body.CopyTo(packet.WritableBody());
                        server.Send(packet, to);
                    }

                    if (i % 64 == 0)
                    {
                        cube.Cube.Advance(TimeSpan.FromMicroseconds(300));
                    }
                }
            }
        );
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.InRange(came, 1, 999_999);
        Assert.True(cube[1].Counters.Damaged.Value > 10);
        Assert.True(cube[1].Counters.Refused.Value > 10);
        Assert.Empty(cube.Cube.Faults);

        // And good ones still come: from another server, and from this one.
        var traffic = new Traffic(cube);
        traffic.Send(cube.Shape.At(2), cube.Shape.At(1), 5);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        traffic.AssertComplete();
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Frames_from_addresses_that_are_not_ones_own_or_to_nobody_do_not_travel()
    {
        using var cube = new TunnelCube(3, 1, 1);
        (Coordinate own, Coordinate other, Coordinate third) = (cube.Shape.At(0), cube.Shape.At(1), cube.Shape.At(2));
        cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, other, third, 1, 1));
        byte[] spoofed = MachineFrame.Datagram4(cube.Addresses, other, third, 1, 1);
        TunnelAddresses.WriteEthernet(cube.Addresses.EthernetOf(own), spoofed.AsSpan(VirtioHeader.Length + 6));
        cube.CardOf(0).Send(spoofed);
        spoofed = MachineFrame.Datagram6(cube.Addresses, other, third, 1, 1);
        TunnelAddresses.WriteEthernet(cube.Addresses.EthernetOf(own), spoofed.AsSpan(VirtioHeader.Length + 6));
        cube.CardOf(0).Send(spoofed);
        Assert.Equal(3, cube[0].Counters.Spoofed.Value);
        byte[] foreign = MachineFrame.Datagram4(cube.Addresses, own, other, 1, 1);
        TunnelAddresses.WriteEthernet(0xFFFF_FFFF_FFFF, foreign.AsSpan(VirtioHeader.Length));
        cube.CardOf(0).Send(foreign);
        cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, own, own, 1, 1));
        Assert.Equal((1, 1), (cube[0].Counters.Foreign.Value, cube[0].Counters.Malformed.Value));
        cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, own, other, 1, 1, length: cube[0].Mtu - 27));
        Assert.Equal(1, cube[0].Counters.TooLong.Value);
        cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, own, other, 1, 1, length: cube[0].Mtu - 28));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((0, 1), (cube[2].Counters.Written.Value, cube[1].Counters.Written.Value));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Who_has_an_address_is_answered_at_home_for_others_only()
    {
        using var cube = new TunnelCube(3, 3, 1);
        List<byte[]> answers = [];
        cube.CardOf(0).Received = frame => answers.Add(frame.ToArray());
        Coordinate to = cube.Shape.At(5);
        cube.CardOf(0).Send(Arp(cube, cube.Addresses.Internet4Of(to)));
        cube.CardOf(0).Send(Arp(cube, cube.Addresses.Internet4Of(default)));
        cube.CardOf(0).Send(Arp(cube, cube.Addresses.Internet4Of(default) + 9));
        cube.CardOf(0).Send(Solicitation(cube, to, isDetection: false));
        cube.CardOf(0).Send(Solicitation(cube, to, isDetection: true));
        cube.CardOf(0).Send(Solicitation(cube, default, isDetection: true));
        Assert.Equal(3, answers.Count);
        Assert.Equal(
            cube.Addresses.EthernetOf(to),
            TunnelAddresses.ReadEthernet(answers[0].AsSpan(MachineFrame.Head + 8))
        );
        foreach (byte[] advertisement in answers[1..])
        {
            Span<byte> ip = advertisement.AsSpan(MachineFrame.Head);
            Assert.Equal(cube.Addresses.EthernetOf(to), TunnelAddresses.ReadEthernet(ip[66..]));
            ulong sum = InternetSum.Pseudo(ip.Slice(8, 32), EtherTypes.Icmp6, 32);
            Assert.Equal(0xFFFF, InternetSum.Fold(InternetSum.Add(sum, ip[40..])));
        }

        Assert.Equal(
            (IPAddress.Parse("ff02::1"), (byte)0x20),
            (new IPAddress(answers[2].AsSpan(MachineFrame.Head + 24, 16)), answers[2][MachineFrame.Head + 44])
        );
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(0, cube[0].Counters.Sent.Value);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_sends_to_a_dead_server_is_told_so_now_and_then_and_never_for_an_error(bool is6)
    {
        using var cube = new TunnelCube(3, 1, 1, new TunnelOptions { UnreachablePerSecond = 5 });
        Coordinate dead = cube.Shape.At(1);
        cube.Cube.Kill(dead);
        cube.Cube.AwaitConverged();
        List<byte[]> notes = [];
        cube.CardOf(0).Received = frame => notes.Add(frame.ToArray());
        byte[] sent = is6
            ? MachineFrame.Datagram6(cube.Addresses, default, dead, 1, 1, 2_000)
            : MachineFrame.Datagram4(cube.Addresses, default, dead, 1, 1, 2_000);
        for (int i = 0; i < 50; i++)
        {
            cube.CardOf(0).Send(sent);
        }

        Assert.InRange(notes.Count, 5, 5);
        Span<byte> ip = notes[0].AsSpan(MachineFrame.Head);
        ushort etherType = is6 ? EtherTypes.Internet6 : EtherTypes.Internet4;
        Assert.True(InternetView.TryRead(etherType, ip, out InternetView view));
        Assert.Equal(ip.Length, view.Bytes.Length);
        Assert.Equal(is6 ? (1, 3) : (3, 1), (view.Payload[0], view.Payload[1]));
        ulong sum = is6 ? InternetSum.Pseudo(ip.Slice(8, 32), EtherTypes.Icmp6, view.Payload.Length) : 0;
        Assert.Equal(0xFFFF, InternetSum.Fold(InternetSum.Add(sum, view.Payload)));
        Assert.True(sent.AsSpan(MachineFrame.Head).StartsWith(view.Payload[8..]));
        Assert.Equal(is6 ? "fd37:cc:77::53" : "10.77.255.253", $"{new IPAddress(view.Source)}");

        // Of errors, and of later parts, nobody is told, in whatever second.
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        sent[MachineFrame.Head + (is6 ? 6 : 9)] = is6 ? EtherTypes.Icmp6 : EtherTypes.Icmp4;
        sent[MachineFrame.Head + (is6 ? 40 : 20)] = (byte)(is6 ? 1 : 3);
        cube.CardOf(0).Send(sent);
        Assert.Equal((5, 5L), (notes.Count, cube[0].Counters.Told.Value));
        Assert.Equal(51, cube[0].Counters.Unreachable.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Every_changed_bit_is_found_but_those_that_are_changed_on_the_way()
    {
        var header = new TunnelHeader
        {
            Sequence = 7,
            EtherType = EtherTypes.Internet4,
            Path = TunnelHeader.NoPath,
        };
        byte[] body = [.. Enumerable.Range(0, 61).Select(i => (byte)i)];
        uint sum = TunnelSum.Of(header, body);
        for (int bit = 0; bit < 8 * body.Length; bit++)
        {
            body[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.NotEqual(sum, TunnelSum.Of(header, body));
            body[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        header.Sequence++;
        Assert.NotEqual(sum, TunnelSum.Of(header, body));
        header.Sequence--;
        (header.Path, header.Sum) = (3, 99);
        header.Flags |= TunnelFlags.OffPath | TunnelFlags.Congested;
        Assert.Equal(sum, TunnelSum.Of(header, body));
    }

    private static bool IsFrom(TunnelCube cube, ReadOnlySpan<byte> frame, Coordinate server)
    {
        ushort etherType = BinaryPrimitives.ReadUInt16BigEndian(frame[(MachineFrame.Head - 2)..]);
        return InternetView.TryRead(etherType, frame[MachineFrame.Head..], out InternetView view)
            && (
                view.Is6
                    ? cube.Addresses.TryFind6(view.Source, out Coordinate from) && from == server
                    : BinaryPrimitives.ReadUInt32BigEndian(view.Source) == cube.Addresses.Internet4Of(server)
            )
            && TunnelAddresses.ReadEthernet(frame[(VirtioHeader.Length + 6)..]) == cube.Addresses.EthernetOf(server);
    }

    internal static byte[] Arp(TunnelCube cube, uint asked)
    {
        byte[] frame = MachineFrame.Ethernet(cube.Addresses, default, default, EtherTypes.Arp, 28);
        TunnelAddresses.WriteEthernet(0xFFFF_FFFF_FFFF, frame.AsSpan(VirtioHeader.Length));
        Span<byte> arp = frame.AsSpan(MachineFrame.Head);
        BinaryPrimitives.WriteUInt64BigEndian(arp, 0x0001_0800_0604_0001);
        TunnelAddresses.WriteEthernet(cube.Addresses.EthernetOf(default), arp[8..]);
        BinaryPrimitives.WriteUInt32BigEndian(arp[14..], cube.Addresses.Internet4Of(default));
        BinaryPrimitives.WriteUInt32BigEndian(arp[24..], asked);
        return frame;
    }

    internal static byte[] Solicitation(TunnelCube cube, Coordinate asked, bool isDetection)
    {
        byte[] frame = MachineFrame.Ethernet(cube.Addresses, default, default, EtherTypes.Internet6, 72);
        TunnelAddresses.WriteEthernet(0x3333_FF00_0001, frame.AsSpan(VirtioHeader.Length));
        Span<byte> ip = frame.AsSpan(MachineFrame.Head);
        (ip[0], ip[5], ip[6], ip[7], ip[40]) = (0x60, 32, EtherTypes.Icmp6, 255, 135);
        if (!isDetection)
        {
            cube.Addresses.Write6(default, ip[8..]);
        }

        (ip[24], ip[25], ip[39]) = (0xFF, 2, 1);
        cube.Addresses.Write6(asked, ip[48..]);
        return frame;
    }
}
