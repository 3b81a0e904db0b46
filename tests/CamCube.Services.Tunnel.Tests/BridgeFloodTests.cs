using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>What machines behind the bridge send to all: every server has it once, and nothing goes round, also if a
/// second machine of the cube is connected to their network.</summary>
public sealed class BridgeFloodTests
{
    private const int Crowd = 12;

    [Fact]
    public void All_servers_have_each_frame_of_a_crowd_once_and_whole_also_when_one_dies_and_the_bridge_has_none()
    {
        using TunnelCube cube = Of();
        List<byte[]>[] came = Listen(cube);
        List<byte[]> sent = SendOfCrowd(cube, first: 100);
        Assert.Empty(came[0]);
        Assert.All(came[1..], list => Assert.Equal(sent, list));
        Assert.Equal(sent.Count, cube[0].Counters.BridgedIn.Value);

        // And those of the servers, the bridge's own machine among them, go out there.
        cube.Cube.Kill(cube.Shape.At(4));
        cube.Cube.AwaitConverged();
        came = Listen(cube);
        sent = SendOfCrowd(cube, first: 1_000);
        cube.CardOf(0).Send(FloodTraffic.Frame(cube, 0, 0, 7_000, 100));
        cube.CardOf(8).Send(FloodTraffic.Frame(cube, 8, 0, 7_001, 100));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(FloodTraffic.Frame(cube, 8, 0, 7_001, 100), Assert.Single(came[0]));
        Assert.All([1, 2, 3, 5, 6, 7], rank => Assert.Equal(sent.Count + 2, came[rank].Count));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Who_asks_for_an_address_is_heard_and_answered()
    {
        using TunnelCube cube = Of();
        List<byte[]>[] came = Listen(cube);
        byte[] question = Strangers.AskForAddress(cube, 1);
        cube.CardOf(0).Send(question);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.All(came[1..], list => Assert.Equal(question, Assert.Single(list)));

        // Its answer may be for it alone, by an address that it does not have yet.
        byte[] answer = Strangers.Out(cube, 4, 1, is6: false);
        cube.CardOf(4).Send(answer);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(answer, Assert.Single(came[0]));

        // Nobody else is nobody.
        byte[] other = Strangers.AskForAddress(cube, 1);
        other[MachineFrame.Head + 23]++;
        cube.CardOf(0).Send(other);
        Assert.Equal(1, cube[0].Counters.Spoofed.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void What_comes_in_for_all_is_IP_of_a_stranger_no_longer_than_a_packet_and_nothing_that_leads_astray()
    {
        using TunnelCube cube = Of();
        List<byte[]>[] came = Listen(cube);
        int longest = cube[0].Room - EtherTypes.CardLength - 32;
        byte[] right = Strangers.ToAll(cube, 1, kind: 0, sequence: 2, longest),
            tooLong = Strangers.ToAll(cube, 1, kind: 0, sequence: 2, longest + 1),
            ofServer = FloodTraffic.Frame(cube, 5, 0, 2, 100),
            asServer = Strangers.ToAll(cube, 1, kind: 0, sequence: 2),
            elsewhere = Strangers.ToAll(cube, 1, kind: 1, sequence: 2),
            segments = Strangers.ToAll(cube, 1, kind: 0, sequence: 2);
        BinaryPrimitives.WriteUInt32BigEndian(
            asServer.AsSpan(MachineFrame.Head + 12),
            cube.Addresses.Internet4Of(cube.Shape.At(5))
        );
        elsewhere[VirtioHeader.Length + 5] ^= 1;
        segments[1] = VirtioHeader.Udp;
        byte[] router = Strangers.Discovery(cube, 1, 4, NeighbourAnswers.RouterAdvertisement, Strangers.Internet6Of(1));
        TunnelAddresses.WriteEthernet(0x3333_0000_0001, router.AsSpan(VirtioHeader.Length));
        byte[] arp = Strangers.Ask(Strangers.EthernetOf(1), Strangers.Internet4Of(1), Strangers.Internet4Of(2));
        foreach (byte[] frame in new[] { right, tooLong, ofServer, asServer, elsewhere, segments, router, arp })
        {
            cube.CardOf(0).Send([.. frame]);
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.All(came[1..], list => Assert.Equal(right, Assert.Single(list)));
        Assert.Equal((1L, 3L), (cube[0].Counters.TooLong.Value, cube[0].Counters.Spoofed.Value));
        Assert.Equal((2L, 1L), (cube[0].Counters.Foreign.Value, cube[0].Counters.Malformed.Value));

        // And who says that it is the bridge is not believed, nor the bridge in what it may not say.
        byte[] strange = Strangers.ToAll(cube, 1, kind: 0, sequence: 3);
        Assert.True(cube[4].TryDeliver(default, strange));
        Assert.False(cube[4].TryDeliver(cube.Shape.At(3), strange));
        Assert.False(cube[0].TryDeliver(cube.Shape.At(3), strange));
        Assert.All(
            [asServer, elsewhere, router, arp, segments, strange[..^1]],
            frame => Assert.False(cube[4].TryDeliver(default, frame))
        );
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void A_second_bridge_to_the_same_network_makes_no_loop_and_is_said(int second)
    {
        using TunnelCube cube = Of();
        List<byte[]>[] came = Listen(cube);
        var network = new TwoBridges(cube, second, came);

        // First a server that is at neither, when nobody knows of the second one yet; then all, again and again.
        network.Send(8, FloodTraffic.Frame(cube, 8, 0, 5_000, 100));
        network.Run();
        int rounds = 0;
        for (int i = 0; i < 10; i++)
        {
            network.SendOfStranger(Strangers.ToAll(cube, 1, i % 3, i));
            for (int rank = 0; rank < 9; rank++)
            {
                network.Send(rank, FloodTraffic.Frame(cube, rank, i % 3, (rank * 1_000) + i, 100));
            }

            rounds += network.Run();
        }

        Assert.InRange(rounds, 0, 400);
        byte[] last = Strangers.ToAll(cube, 2, 0, 9_000),
            own = FloodTraffic.Frame(cube, second, 0, 9_001, 100);
        foreach (List<byte[]> list in came)
        {
            list.Clear();
        }

        network.SendOfStranger(last);
        network.Run();
        network.Send(second, own);
        network.Run();
        int[] others = [.. Enumerable.Range(1, 8).Where(rank => rank != second)];
        Assert.All(others, rank => Assert.Equal([last, own], came[rank]));
        Assert.Empty(came[0].Concat(came[second]));
        cube.Cube.Advance(cube.Options.RetryTime);
        Assert.Contains("the bridge is at 0,0,0", cube[second].Unwell);
        Assert.Null(cube[0].Unwell);

        // When it is taken out, all is forgotten after a while.
        cube.Cube.Advance(cube.Options.BridgedTime + cube.Options.RetryTime);
        Assert.Null(cube[second].Unwell);
        cube.CardOf(0).Send(Strangers.ToAll(cube, 2, 0, 9_002));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Single(came[second]);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void Between_one_machine_and_one_server_each_frame_comes_once_with_a_second_bridge_too(int second)
    {
        const int Frames = 20,
            Server = 5;
        using TunnelCube cube = Of();
        List<byte[]>[] came = Listen(cube);
        var network = new TwoBridges(cube, second, came);
        int rounds = 0;
        for (int i = 0; i < Frames; i++)
        {
            // Both bridges have it, as they have what is for an address that they do not know.
            network.SendOfStranger(Strangers.In(cube, 1 + (i % Crowd), Server, is6: i % 2 == 0));
            rounds += network.Run();
            network.Send(Server, Strangers.Out(cube, Server, 1 + (i % Crowd), is6: i % 2 == 0));
            rounds += network.Run();
        }

        // What leaves by the one comes in at the other, and is dropped there; it does not travel.
        Assert.Equal((Frames, 0L), (rounds, cube[Server].Counters.Refused.Value));
        Assert.Equal((Frames, Frames, 0), (came[Server].Count, came[0].Count, came[second].Count));
        Assert.Equal(2 * Frames, cube[second].Counters.Spoofed.Value);
        Assert.Equal(2 * Frames, came.Sum(list => list.Count));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_storm_behind_the_bridge_leaves_half_of_what_may_be_sent_to_the_machine_of_its_server()
    {
        using TunnelCube cube = Of(perSecond: 100);
        List<byte[]>[] came = Listen(cube);
        for (int i = 0; i < 1_000; i++)
        {
            cube.CardOf(0).Send(Strangers.ToAll(cube, i % Crowd, 0, i));
            if (i % 25 == 0)
            {
                cube.CardOf(0).Send(FloodTraffic.Frame(cube, 0, 0, 20_000 + i, 100));
            }

            cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.All(came[1..], list => Assert.InRange(list.Count, 40 + 50, 40 + 100));
        Assert.All(came[1..], list => Assert.Equal(40, list.Count(frame => SenderOf(frame) == OwnOf(cube))));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_checksum_that_a_machine_behind_the_bridge_left_unfinished_is_finished()
    {
        using TunnelCube cube = Of();
        List<byte[]>[] came = Listen(cube);
        byte[] frame = Strangers.ToAll(cube, 1, kind: 0, sequence: 2);
        Span<byte> ip = frame.AsSpan(MachineFrame.Head),
            udp = ip[20..];
        BinaryPrimitives.WriteUInt16BigEndian(udp[4..], (ushort)udp.Length);
        ulong pseudo = InternetSum.Pseudo(ip.Slice(12, 8), EtherTypes.Udp, udp.Length);
        BinaryPrimitives.WriteUInt16BigEndian(udp[6..], InternetSum.Fold(pseudo));
        var virtio = new VirtioHeader
        {
            Flags = VirtioHeader.NeedsSum,
            SumStart = 34,
            SumOffset = 6,
        };
        MemoryMarshal.Write(frame, virtio);
        cube.CardOf(0).Send([.. frame]);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.All(
            came[1..],
            list =>
            {
                ReadOnlySpan<byte> gotten = Assert.Single(list);
                Assert.Equal(0xFFFF, InternetSum.Fold(InternetSum.Add(pseudo, gotten[(MachineFrame.Head + 20)..])));
                Assert.Equal(0, gotten[0]);
            }
        );
        cube.AssertNothingLeft();
    }

    private static TunnelCube Of(int perSecond = 1_000) =>
        new(
            3,
            3,
            1,
            new TunnelOptions { Bridge = "0,0,0", BridgedTime = TimeSpan.FromSeconds(30) },
            flood: new TunnelFloodOptions { PerSecond = perSecond }
        );

    private static ulong OwnOf(TunnelCube cube) => cube.Addresses.EthernetOf(default);

    private static ulong SenderOf(byte[] frame) =>
        TunnelAddresses.ReadEthernet(frame.AsSpan(VirtioHeader.Length + TunnelAddresses.EthernetLength));

    private static List<byte[]>[] Listen(TunnelCube cube)
    {
        var came = new List<byte[]>[cube.Shape.Count];
        for (int rank = 0; rank < came.Length; rank++)
        {
            List<byte[]> own = came[rank] = [];
            if (cube.CardsOf(rank).Card is { } card)
            {
                card.Received = frame => own.Add(frame.ToArray());
            }
        }

        return came;
    }

    private static List<byte[]> SendOfCrowd(TunnelCube cube, int first)
    {
        List<byte[]> sent = [];
        for (int number = 1; number <= Crowd; number++)
        {
            for (int kind = 0; kind < 3; kind++)
            {
                sent.Add(Strangers.ToAll(cube, number, kind, first + (number * 10) + kind, length: 40 * number));
                cube.CardOf(0).Send([.. sent[^1]]);
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            }
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        return sent;
    }

    /// <summary>A network that the cards of two servers are in bridges with: what is for all and comes out of one, or
    /// its machine sends, comes in at the other.</summary>
    private sealed class TwoBridges(TunnelCube cube, int second, List<byte[]>[] came)
    {
        private int _seen0;
        private int _seenSecond;

        /// <summary>A server's machine sends to all.</summary>
        public void Send(int rank, byte[] frame)
        {
            cube.CardOf(rank).Send([.. frame]);
            if (rank == 0 || rank == second)
            {
                cube.CardOf(second - rank).Send([.. frame]);
            }
        }

        /// <summary>A machine in that network does.</summary>
        public void SendOfStranger(byte[] frame)
        {
            cube.CardOf(0).Send([.. frame]);
            cube.CardOf(second).Send([.. frame]);
        }

        /// <summary>Lets all go round that does, for a while. How many did.</summary>
        public int Run()
        {
            int rounds = 0;
            (_seen0, _seenSecond) = (0, 0);
            List<byte[]> out0 = came[0],
                outSecond = came[second];
            int begin0 = out0.Count,
                beginSecond = outSecond.Count;
            for (int i = 0; i < 50; i++)
            {
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
                for (; begin0 + _seen0 < out0.Count; _seen0++, rounds++)
                {
                    cube.CardOf(second).Send([.. out0[begin0 + _seen0]]);
                }

                for (; beginSecond + _seenSecond < outSecond.Count; _seenSecond++, rounds++)
                {
                    cube.CardOf(0).Send([.. outSecond[beginSecond + _seenSecond]]);
                }
            }

            return rounds;
        }
    }
}
