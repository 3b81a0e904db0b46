using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;
using CamCube.Tests;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Machines behind the bridge of one server, and those of the cube: they reach each other, and nothing else
/// comes in, or goes round.</summary>
public sealed class BridgeTests
{
    private const int Crowd = 12;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_crowd_behind_the_bridge_and_all_servers_reach_each_other_and_do_so_again_after_a_fault(bool is6)
    {
        using TunnelCube cube = Of("0,0,0");
        List<byte[]>[] came = Listen(cube);
        ExchangeAll(cube, came, is6);
        long known = cube[0].BridgedMachines;
        Assert.Equal(Crowd, known);

        // The bridge dies: who sends there is told, and when it comes back whoever sends first is known again.
        cube.Cube.Kill(cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        cube.CardOf(4).Send(Strangers.Out(cube, 4, 1, is6));
        Assert.Equal(Crowd + 1, came[4].Count);
        Assert.Equal((1L, 1L), (cube[4].Counters.Unreachable.Value, cube[4].Counters.Told.Value));
        cube.Cube.Revive(cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        came = Listen(cube);
        cube.CardOf(4).Send(Strangers.Out(cube, 4, 1, is6));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal((0, 1L), (came[0].Count, cube[0].Counters.Unknown.Value));
        ExchangeAll(cube, came, is6);
        cube.AssertNothingLeft();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Long_frames_with_unfinished_sums_come_as_they_were(bool isIn)
    {
        using TunnelCube cube = Of("0,0,0");
        List<byte[]>[] came = Listen(cube);
        cube.CardOf(0).Send(Strangers.In(cube, 1, 4, is6: false));
        byte[] frame = SegmentTests.Long(cube, cube.Shape.At(4), is6: false, 1_448, 60_000, flags: 16);
        int own = isIn ? 6 : 0;
        Span<byte> ethernet = frame.AsSpan(VirtioHeader.Length);
        TunnelAddresses.WriteEthernet(cube.Addresses.EthernetOf(cube.Shape.At(4)), ethernet[(6 - own)..]);
        TunnelAddresses.WriteEthernet(Strangers.EthernetOf(1), ethernet[own..]);
        Span<byte> ip = frame.AsSpan(MachineFrame.Head);
        uint server = cube.Addresses.Internet4Of(cube.Shape.At(4));
        BinaryPrimitives.WriteUInt32BigEndian(ip[(isIn ? 16 : 12)..], server);
        BinaryPrimitives.WriteUInt32BigEndian(ip[(isIn ? 12 : 16)..], Strangers.Internet4Of(1));
        cube.CardOf(isIn ? 0 : 4).Send(frame);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(frame, came[isIn ? 4 : 0][^1]);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Questions_are_answered_at_home_and_what_nobody_in_the_cube_has_is_asked_at_the_bridge_only()
    {
        using TunnelCube cube = Of("0,0,0");
        List<byte[]>[] came = Listen(cube);
        uint server = cube.Addresses.Internet4Of(cube.Shape.At(7));
        cube.CardOf(0).Send(Strangers.Ask(Strangers.EthernetOf(1), Strangers.Internet4Of(1), server));
        byte[] answer = Assert.Single(came[0]);
        Assert.Equal(Strangers.EthernetOf(1), TunnelAddresses.ReadEthernet(answer.AsSpan(VirtioHeader.Length)));
        Assert.Equal(
            cube.Addresses.EthernetOf(cube.Shape.At(7)),
            TunnelAddresses.ReadEthernet(answer.AsSpan(MachineFrame.Head + 8))
        );

        // What each server has for its own machine, others of its kind, and the bridge's own machine speak for
        // themselves or not at all.
        uint[] silent =
        [
            cube.Addresses.Resolver4,
            cube.Addresses.Gateway4,
            Strangers.Internet4Of(2),
            cube.Addresses.Internet4Of(default),
        ];
        foreach (uint one in silent)
        {
            cube.CardOf(0).Send(Strangers.Ask(Strangers.EthernetOf(1), Strangers.Internet4Of(1), one));
        }

        Assert.Single(came[0]);
        ulong asker = cube.Addresses.EthernetOf(cube.Shape.At(7));
        byte[] question = Strangers.Ask(asker, server, Strangers.Internet4Of(1));
        cube.CardOf(7).Send(question);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(question, came[0][^1]);
        byte[] told = Strangers.Tell(Strangers.EthernetOf(1), Strangers.Internet4Of(1), asker, server);
        cube.CardOf(0).Send(told);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(told, Assert.Single(came[7]));
        Assert.Equal(3, came.Sum(list => list.Count));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void What_comes_in_at_the_bridge_never_leaves_again_and_comes_in_nowhere_else()
    {
        using TunnelCube cube = Of("0,0,0");
        List<byte[]>[] came = Listen(cube);
        cube.CardOf(0).Send(Strangers.In(cube, 2, 4, is6: false));

        // Between two of them; to all; of the cube, as a loop outside would bring it; for the bridge's own machine.
        byte[] between = Strangers.In(cube, 1, 4, is6: false);
        TunnelAddresses.WriteEthernet(Strangers.EthernetOf(2), between.AsSpan(VirtioHeader.Length));
        byte[] toAll = Strangers.In(cube, 1, 4, is6: false);
        TunnelAddresses.WriteEthernet(0xFFFF_FFFF_FFFF, toAll.AsSpan(VirtioHeader.Length));
        cube.CardOf(0).Send(between);
        cube.CardOf(0).Send(toAll);
        cube.CardOf(0).Send(Strangers.In(cube, 1, 0, is6: false));
        cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, cube.Shape.At(5), cube.Shape.At(4), 1, 1));
        Assert.Equal((3L, 1L), (cube[0].Counters.Foreign.Value, cube[0].Counters.Spoofed.Value));

        // A second bridge that nobody said may be one, and a server that says it is.
        cube.CardOf(3).Send(Strangers.In(cube, 1, 4, is6: false));
        Assert.Equal(1, cube[3].Counters.Spoofed.Value);
        Come(cube, 3, 4, Strangers.In(cube, 1, 4, is6: false));
        Come(cube, 3, 4, Strangers.Out(cube, 3, 2, is6: false));
        Come(cube, 3, 0, Strangers.In(cube, 1, 0, is6: false));
        Come(cube, 3, 0, Strangers.Out(cube, 4, 2, is6: false));
        Come(cube, 0, 4, Strangers.In(cube, 1, 5, is6: false));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal((3L, 2L), (cube[4].Counters.Refused.Value, cube[0].Counters.Refused.Value));
        Assert.Single(came[4]);
        Assert.Equal(1, came.Sum(list => list.Count));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_machine_behind_the_bridge_speaks_for_itself_only()
    {
        using TunnelCube cube = Of("0,0,0");
        List<byte[]>[] came = Listen(cube);
        TunnelAddresses addresses = cube.Addresses;
        ulong self = Strangers.EthernetOf(1),
            four = addresses.EthernetOf(cube.Shape.At(4));
        uint fifth = addresses.Internet4Of(cube.Shape.At(5)),
            fourth = addresses.Internet4Of(cube.Shape.At(4));
        byte[] sixth = new byte[16];
        addresses.Write6(cube.Shape.At(6), sixth);
        byte[] asServer = Strangers.In(cube, 1, 4, is6: false),
            asServer6 = Strangers.In(cube, 1, 4, is6: true),
            asLoopback = Strangers.In(cube, 1, 4, is6: false),
            hidden = Strangers.Discovery(cube, 1, 4, NeighbourAnswers.Advertisement, sixth);
        BinaryPrimitives.WriteUInt32BigEndian(asServer.AsSpan(MachineFrame.Head + 12), fifth);
        sixth.CopyTo(asServer6.AsSpan(MachineFrame.Head + 8));
        BinaryPrimitives.WriteUInt32BigEndian(asLoopback.AsSpan(MachineFrame.Head + 12), 0x7F00_0001);

        // Options for every hop.
        hidden[MachineFrame.Head + 6] = 0;
        byte[][] wrong =
        [
            asServer,
            asServer6,
            asLoopback,
            hidden,
            Strangers.Ask(self, fifth, fourth),
            Strangers.Ask(self, fifth, fifth),
            Strangers.Tell(self, fifth, four, fourth),
            Strangers.Tell(self, addresses.Gateway4, four, fourth),
            Strangers.Tell(self, addresses.Resolver4, four, fourth),
            Strangers.Discovery(cube, 1, 4, NeighbourAnswers.Advertisement, sixth),
            Strangers.Discovery(cube, 1, 4, NeighbourAnswers.RouterAdvertisement, sixth),
            Strangers.Discovery(cube, 1, 4, NeighbourAnswers.Redirect, sixth),
        ];
        foreach (byte[] frame in wrong)
        {
            cube.CardOf(0).Send(frame);
            Come(cube, 0, 4, frame);
        }

        // ARP says twice who sends it, and these do not say the same.
        byte[] twofold = Strangers.Tell(self, Strangers.Internet4Of(1), four, fourth);
        twofold[MachineFrame.Head + 13]++;
        cube.CardOf(0).Send(twofold);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal((wrong.Length, 1L), (cube[0].Counters.Spoofed.Value, cube[0].Counters.Malformed.Value));
        Assert.Equal(wrong.Length, cube[4].Counters.Refused.Value);
        byte[] right = Strangers.Discovery(cube, 1, 4, NeighbourAnswers.Advertisement, Strangers.Internet6Of(1));
        cube.CardOf(0).Send(right);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(right, Assert.Single(came[4]));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Who_makes_up_addresses_does_not_drive_out_machines_that_speak_with_servers()
    {
        using TunnelCube cube = Of("0,0,0", machines: 64);
        List<byte[]>[] came = Listen(cube);
        ExchangeAll(cube, came, is6: false);
        int before = came[4].Count;
        for (int i = 0; i < 20_000; i++)
        {
            cube.CardOf(0).Send(Strangers.In(cube, 1_000 + i, 4, is6: false));
            if (i % 16 == 0)
            {
                cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
            }
        }

        Assert.True(came[4].Count > before + 10_000, $"{came[4].Count}");
        Assert.InRange(cube[0].BridgedMachines, Crowd, 64);
        came = Listen(cube);
        for (int number = 1; number <= Crowd; number++)
        {
            cube.CardOf(5).Send(Strangers.Out(cube, 5, number, is6: false));
        }

        // And a newcomer finds a place.
        cube.CardOf(0).Send(Strangers.In(cube, 900, 5, is6: false));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        cube.CardOf(5).Send(Strangers.Out(cube, 5, 900, is6: false));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal((Crowd + 1, 1), (came[0].Count, came[5].Count));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Where_all_places_have_machines_that_speak_with_servers_a_flood_of_addresses_is_counted_and_stays_out()
    {
        const int Places = 16,
            Tried = 200,
            Flood = 6_000;
        using TunnelCube cube = Of("0,0,0", Places);
        List<byte[]>[] came = Listen(cube);
        List<int> known = [];
        for (int number = 1; number <= Tried; number++)
        {
            if (IsHeard(number))
            {
                known.Add(number);
                cube.CardOf(4).Send(Strangers.Out(cube, 4, number, is6: false));
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            }
        }

        Assert.Equal((Places, Places), (known.Count, cube[0].BridgedMachines));
        Assert.Equal(Tried - Places, cube[0].Counters.Crowded.Value);
        came = Listen(cube);
        uint fourth = cube.Addresses.Internet4Of(cube.Shape.At(4));
        for (int i = 0; i < Flood; i++)
        {
            int number = 1_000 + i;
            cube.CardOf(0)
                .Send(
                    (i % 4) switch
                    {
                        0 => Strangers.Ask(Strangers.EthernetOf(number), Strangers.Internet4Of(number), fourth),
                        1 => Strangers.ToAll(cube, number, i % 3, i),
                        _ => Strangers.In(cube, number, 4, is6: i % 4 == 2),
                    }
                );
            if (i % 16 == 0)
            {
                cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
            }
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(Tried - Places + Flood, cube[0].Counters.Crowded.Value);
        Assert.Equal((Places, 0), (cube[0].BridgedMachines, came.Sum(list => list.Count)));
        Assert.All(known, number => Assert.True(IsHeard(number)));

        // When the others are silent for long there is room again.
        cube.Cube.Advance(cube.Options.BridgedTime + TimeSpan.FromSeconds(1));
        Assert.True(IsHeard(Tried + 1));
        Assert.Equal(1, cube[0].BridgedMachines);
        cube.AssertNothingLeft();

        bool IsHeard(int number)
        {
            int before = came[4].Count;
            cube.CardOf(0).Send(Strangers.In(cube, number, 4, is6: false));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            return came[4].Count > before;
        }
    }

    [Fact]
    public void Whatever_comes_in_at_the_bridge_comes_out_at_its_server_from_a_stranger_only()
    {
        using TunnelCube cube = Of("0,0,0");
        int came = 0;
        for (int rank = 1; rank < cube.Shape.Count; rank++)
        {
            ulong own = cube.Addresses.EthernetOf(cube.Shape.At(rank));
            cube.CardOf(rank).Received = frame => came += IsOfStranger(cube, own, frame) ? 1 : 1_000_000;
        }

        byte[][] good =
        [
            Strangers.In(cube, 1, 4, is6: false),
            Strangers.In(cube, 2, 4, is6: true),
            Strangers.Ask(Strangers.EthernetOf(3), Strangers.Internet4Of(3), cube.Addresses.Internet4Of(default) + 4),
            SegmentTests.Long(cube, cube.Shape.At(4), is6: false, 1_000, 10_000, flags: 16),
        ];
        TunnelAddresses.WriteEthernet(Strangers.EthernetOf(4), good[3].AsSpan(VirtioHeader.Length + 6));
        BinaryPrimitives.WriteUInt32BigEndian(good[3].AsSpan(MachineFrame.Head + 12), Strangers.Internet4Of(4));
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < count / 8; i++)
                {
                    byte[] frame = good[random.Next(good.Length)];
                    cube.CardOf(0).Send(random.Bend(frame, good[random.Next(good.Length)], 2_000));
                    if (i % 64 == 0)
                    {
                        cube.Cube.Advance(TimeSpan.FromMicroseconds(200));
                    }
                }
            }
        );
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.InRange(came, 1, 999_999);
        Assert.Empty(cube.Cube.Faults);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_bridge_that_is_no_server_is_said_and_the_card_of_one_may_be_in_a_bridge()
    {
        using TunnelCube cube = Of("1,0,0");
        Assert.Equal((false, true), (cube.CardOf(0).Terms.IsBridged, cube.CardOf(1).Terms.IsBridged));
        using TunnelCube wrong = Of("7,7,7");
        Assert.Contains("7,7,7 is no server of", wrong[0].Unwell);
        Assert.Single(new TunnelOptions { Bridge = "one" }.Validate(null!));
    }

    private static TunnelCube Of(string bridge, int machines = 1_024) =>
        new(
            3,
            3,
            1,
            new TunnelOptions
            {
                Bridge = bridge,
                BridgedMachines = machines,
                BridgedTime = TimeSpan.FromSeconds(30),
            }
        );

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

    private static void ExchangeAll(TunnelCube cube, List<byte[]>[] came, bool is6)
    {
        foreach (List<byte[]> one in came)
        {
            one.Clear();
        }

        List<byte[]> answers = [];
        for (int number = 1; number <= Crowd; number++)
        {
            for (int rank = 1; rank < came.Length; rank++)
            {
                cube.CardOf(0).Send(Strangers.In(cube, number, rank, is6));
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
                Assert.Equal(Strangers.In(cube, number, rank, is6), came[rank][^1]);
                answers.Add(Strangers.Out(cube, rank, number, is6));
                cube.CardOf(rank).Send(answers[^1]);
            }
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.All(came[1..], list => Assert.Equal(Crowd, list.Count));
        Assert.Equal(answers.Count, came[0].Count);
        Assert.All(answers, answer => Assert.Contains(came[0], frame => frame.AsSpan().SequenceEqual(answer)));
    }

    private static bool IsOfStranger(TunnelCube cube, ulong own, ReadOnlySpan<byte> bytes) =>
        CardFrame.TryRead(bytes, out CardFrame frame)
        && (frame.To == own || GroupAddress.IsGroup(frame.To))
        && TunnelAddresses.IsStrangeEthernet(frame.From)
        && (
            frame.EtherType == EtherTypes.Arp ? frame.ArpSource == 0 || cube.Addresses.IsStrange4(frame.ArpSource)
            : frame.View.Is6
                ? cube.Addresses.IsStrange6(frame.View.Source) || !frame.View.Source.ContainsAnyExcept((byte)0)
            : cube.Addresses.IsStrange4(BinaryPrimitives.ReadUInt32BigEndian(frame.View.Source))
        );

    private static void Come(TunnelCube cube, int from, int to, byte[] body)
    {
        IServer server = cube.Cube[from].ServerOf<TunnelService>();
        Assert.True(server.Packets.TryRent(body.Length, out Packet? packet));
        var header = new TunnelHeader
        {
            EtherType = EtherTypes.Whole,
            Flags = TunnelFlags.First | TunnelFlags.Last,
            Lane = 63,
            Path = TunnelHeader.NoPath,
            Paths = 1,
            Run = 7,
        };
        header.Sum = TunnelSum.Of(header, body);
        packet.Header<TunnelHeader>() = header;
        body.CopyTo(packet.WritableBody());
        server.Send(packet, cube.Shape.At(to));
    }
}
