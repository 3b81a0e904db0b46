using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CamCube.Faults;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;
using CamCube.Tests;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Frames for all: everybody has each once, on whole cubes and on others.</summary>
public sealed class FloodTests
{
    private static readonly ServiceId Flood = new(0x01B1);

    [Theory]
    [InlineData(1, 1, 2)]
    [InlineData(3, 1, 1)]
    [InlineData(2, 2, 2)]
    [InlineData(4, 3, 1)]
    [InlineData(3, 3, 3)]
    public void Everybody_else_has_each_once_unchanged_and_each_link_carries_it_once_at_most(int x, int y, int z)
    {
        using var cube = new TunnelCube(x, y, z);
        var floods = new FloodTraffic(cube);
        Dictionary<(Coordinate, Link), int> carried = [];
        int packets = 0;
        cube.Cube.Lose = (from, link, packet) =>
        {
            if (packet.Service == Flood)
            {
                packets++;
                carried[(from, link)] = carried.GetValueOrDefault((from, link)) + 1;
            }

            return false;
        };
        const int Rounds = 12;
        for (int round = 0; round < Rounds; round++)
        {
            for (int rank = 0; rank < cube.Shape.Count; rank++)
            {
                floods.Send(rank, length: round % 4 == 3 ? cube[0].Mtu - 52 : 40 * round);
            }

            cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        }

        floods.AssertEverybodyHasAll();
        Assert.Equal(Rounds * cube.Shape.Count * (cube.Shape.Count - 1), packets);

        // Trees take turns, so all links carry some.
        Assert.Equal(cube.Shape.Count * cube.Shape.CabledLinks(default).Count, carried.Count);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Round_dead_servers_those_who_live_have_each_once()
    {
        using var cube = new TunnelCube(3, 3, 3);
        var floods = new FloodTraffic(cube);
        int[] dead = [4, 13, 14];
        foreach (int rank in dead)
        {
            cube.Cube.Kill(cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        for (int round = 0; round < 6; round++)
        {
            for (int rank = 0; rank < 27; rank++)
            {
                if (!dead.Contains(rank))
                {
                    floods.Send(rank, length: 500);
                }
            }

            cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        }

        floods.AssertEverybodyHasAll(dead);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void When_servers_die_and_return_and_cables_lose_double_and_bend_nobody_has_one_twice_or_changed()
    {
        using var cube = new TunnelCube(3, 3, 1);
        var floods = new FloodTraffic(cube);
        using (cube.Cube.LinkFaults.Add(new PacketLoss(0.02), LinkScope.All.OfService(Flood)))
        using (cube.Cube.LinkFaults.Add(new PacketDuplication(0.3), LinkScope.All.OfService(Flood)))
        using (cube.Cube.LinkFaults.Add(new PacketCorruption(0.05), LinkScope.All.OfService(Flood)))
        {
            for (int round = 0; round < 500; round++)
            {
                if (round is 100 or 300)
                {
                    cube.Cube.Kill(cube.Shape.At(4));
                }
                else if (round is 200 or 400)
                {
                    cube.Cube.Revive(cube.Shape.At(4));
                    cube.Cube.AwaitConverged();
                    floods.Listen(4);
                }

                floods.Send(round % 4, length: 300);
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            }
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.InRange(floods.Received, 500 * 5, (500 * 8) - 1);
        Assert.True(Sum(cube, counters => counters.Repeated) > 200);
        Assert.True(Sum(cube, counters => counters.Damaged) > 50);
        Assert.Equal(0, Sum(cube, counters => counters.Refused));

        // And when all is well again all have all.
        var after = new FloodTraffic(cube);
        for (int rank = 0; rank < 9; rank++)
        {
            after.Send(rank, length: 100);
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        after.AssertEverybodyHasAll();
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_storm_is_cut_off_at_its_machine_and_next_second_it_may_again()
    {
        using var cube = new TunnelCube(3, 1, 1, flood: new TunnelFloodOptions { PerSecond = 50 });
        var floods = new FloodTraffic(cube);
        for (int second = 0; second < 2; second++)
        {
            for (int i = 0; i < 1_000; i++)
            {
                floods.Send(0, length: 20);
                cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
            }

            cube.Cube.Advance(TimeSpan.FromSeconds(0.9));
        }

        Assert.InRange(cube.FloodOf(0).Counters.Sent.Value, 100, 150);
        Assert.Equal(2_000, cube.FloodOf(0).Counters.Sent.Value + cube.FloodOf(0).Counters.Limited.Value);
        Assert.Equal(2 * cube.FloodOf(0).Counters.Sent.Value, floods.Received);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_checksum_that_the_machine_left_unfinished_is_finished()
    {
        using var cube = new TunnelCube(3, 1, 1);
        List<byte[]> came = [];
        cube.CardOf(1).Received = frame => came.Add(frame.ToArray());
        foreach (bool is6 in new[] { false, true })
        {
            byte[] frame = FloodTraffic.Frame(cube, 0, is6 ? 2 : 1, 7, 33);
            Span<byte> ip = frame.AsSpan(MachineFrame.Head),
                udp = ip[(is6 ? 40 : 20)..];
            BinaryPrimitives.WriteUInt16BigEndian(udp[4..], (ushort)udp.Length);
            ReadOnlySpan<byte> addresses = is6 ? ip.Slice(8, 32) : ip.Slice(12, 8);
            ulong pseudo = InternetSum.Pseudo(addresses, EtherTypes.Udp, udp.Length);
            BinaryPrimitives.WriteUInt16BigEndian(udp[6..], InternetSum.Fold(pseudo));
            MemoryMarshal.Write(
                frame,
                new VirtioHeader
                {
                    Flags = VirtioHeader.NeedsSum,
                    SumStart = (ushort)(is6 ? 54 : 34),
                    SumOffset = 6,
                }
            );
            cube.CardOf(0).Send([.. frame]);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            ReadOnlySpan<byte> gotten = came[^1].AsSpan(MachineFrame.Head);
            Assert.Equal(0xFFFF, InternetSum.Fold(InternetSum.Add(pseudo, gotten[(is6 ? 40 : 20)..])));
            Assert.Equal(0, came[^1][0]);
        }

        cube.AssertNothingLeft();
    }

    [Fact]
    public void What_is_for_one_or_is_not_IP_or_too_long_or_spoofed_is_not_sent_to_all()
    {
        using var cube = new TunnelCube(3, 1, 1);
        Coordinate to = cube.Shape.At(1);
        byte[] forOne = MachineFrame.Datagram4(cube.Addresses, default, to, 1, 1);
        TunnelAddresses.WriteEthernet(GroupAddress.Broadcast, forOne.AsSpan(VirtioHeader.Length));
        cube.CardOf(0).Send(forOne);
        byte[] elsewhere = FloodTraffic.Frame(cube, 0, 1, 1, 10);
        elsewhere[VirtioHeader.Length + 5] ^= 1;
        cube.CardOf(0).Send(elsewhere);
        Assert.Equal(2, cube[0].Counters.Malformed.Value);
        byte[] switches = MachineFrame.Ethernet(cube.Addresses, default, default, 0x88CC, 50);
        TunnelAddresses.WriteEthernet(0x0180_C200_000E, switches.AsSpan(VirtioHeader.Length));
        cube.CardOf(0).Send(switches);
        Assert.Equal(1, cube[0].Counters.Foreign.Value);
        cube.CardOf(0).Send(FloodTraffic.Frame(cube, 0, 0, 1, cube[0].Mtu));
        Assert.Equal(1, cube[0].Counters.TooLong.Value);
        byte[] spoofed = FloodTraffic.Frame(cube, 1, 0, 1, 10);
        TunnelAddresses.WriteEthernet(
            cube.Addresses.EthernetOf(default),
            spoofed.AsSpan(VirtioHeader.Length + TunnelAddresses.EthernetLength)
        );
        cube.CardOf(0).Send(spoofed);
        Assert.Equal(1, cube[0].Counters.Spoofed.Value);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((0, 0), (cube.FloodOf(0).Counters.Sent.Value, cube[1].Counters.Written.Value));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Nothing_that_a_server_sends_makes_another_fault_or_comes_out_under_a_wrong_name()
    {
        using var cube = new TunnelCube(3, 3, 1);
        int came = 0;
        for (int rank = 1; rank < 9; rank++)
        {
            cube.CardOf(rank).Received = frame =>
            {
                ushort etherType = BinaryPrimitives.ReadUInt16BigEndian(frame[(MachineFrame.Head - 2)..]);
                bool isRead = InternetView.TryRead(etherType, frame[MachineFrame.Head..], out InternetView view);
                came += isRead && view.IsFrom(default, cube.Addresses) ? 1 : 1_000_000;
            };
        }

        IServer server = cube.Cube[0].ServerOf<TunnelFloodService>();
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < count / 4; i++)
                {
                    byte[] body = FloodTraffic.Frame(cube, 0, i, i, 60)[MachineFrame.Head..];
                    body = random.Next(3) == 0 ? random.Bend(body, body, 2_000) : body;
                    FloodHeader header = default;
                    Span<byte> bytes = MemoryMarshal.AsBytes(new Span<FloodHeader>(ref header));
                    random.NextBytes(bytes);
                    bytes[14] = (byte)(random.Next(2) == 0 ? bytes[14] : 9);
                    bytes[15] = (byte)(random.Next(2) == 0 ? bytes[15] : 0);
                    bytes[8..14].Clear();
                    header.Run = (ushort)random.Next(2);
                    header.Sum = random.Next(4) == 0 ? header.Sum : TunnelFloodService.SumOf(header, default, body);
                    if (server.Packets.TryRent(body.Length, out Packet? packet))
                    {
                        packet.Header<FloodHeader>() = header;
                        body.CopyTo(packet.WritableBody());
                        server.SendVia(packet, Link.XPlus);
                    }

                    if (i % 32 == 0)
                    {
                        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
                    }
                }
            }
        );
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.InRange(came, 1, 999_999);
        Assert.True(cube.FloodOf(1).Counters.Damaged.Value > 10);
        Assert.Empty(cube.Cube.Faults);
        var floods = new FloodTraffic(cube);
        floods.Send(2, length: 10);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        floods.AssertEverybodyHasAll();
        cube.AssertNothingLeft();
    }

    private static long Sum(TunnelCube cube, Func<FloodCounters, Counter> counter) =>
        Enumerable.Range(0, cube.Shape.Count).Sum(rank => counter(cube.FloodOf(rank).Counters).Value);
}
