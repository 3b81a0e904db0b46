using System.Buffers.Binary;
using System.Net;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;
using CamCube.Tests;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>What is for other networks, and comes from there: to the nearest gateway that lives, and from gateways
/// only.</summary>
public sealed class GatewayTests
{
    private const string Beyond4 = "192.0.2.7",
        Beyond6 = "2001:db8::7";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_is_for_other_networks_comes_to_the_nearest_gateway_that_lives(bool is6)
    {
        using TunnelCube cube = Of("0,0,0", "2,2,0");
        int[] came = Listen(cube);
        string beyond = is6 ? Beyond6 : Beyond4;

        // A crowd: all that are no gateways.
        for (int rank = 1; rank < 15; rank++)
        {
            cube.CardOf(rank).Send(Out(cube, rank, beyond));
            cube.CardOf(rank).Send(Out(cube, rank, is6 ? "fd37:cc:77::1" : "10.77.255.254"));
        }

        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        int near = Enumerable.Range(1, 14).Count(rank => IsNearer(cube, rank, 0, 12));
        Assert.Equal((2 * near, 2 * (13 - near)), (came[0], came[12]));
        Assert.InRange(near, 3, 10);

        // The first one dies; when that is known all is the other's, and when it comes back, its own.
        cube.Cube.Kill(cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        cube.CardOf(1).Send(Out(cube, 1, beyond));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal((2 * (13 - near)) + 1, came[12]);
        cube.Cube.Revive(cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        cube.CardOf(0).Received = _ => came[0]++;
        cube.CardOf(1).Send(Out(cube, 1, beyond));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal((2 * near) + 1, came[0]);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void When_no_gateway_lives_the_machine_is_told_so()
    {
        using TunnelCube cube = Of("0,0,0");
        cube.Cube.Kill(cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        List<byte[]> notes = [];
        cube.CardOf(1).Received = frame => notes.Add(frame.ToArray());
        cube.CardOf(1).Send(Out(cube, 1, Beyond4));
        cube.CardOf(1).Send(Out(cube, 1, Beyond6));
        Assert.Equal(["10.77.255.253", "fd37:cc:77::53"], notes.Select(note => $"{SourceOf(note)}"));
        Assert.Equal(2, cube[1].Counters.Unreachable.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Only_gateways_send_from_addresses_of_other_networks_and_of_none_that_cannot_be()
    {
        using TunnelCube cube = Of("0,0,0");
        int[] came = Listen(cube);
        cube.CardOf(0).Send(In(cube, 0, 5, Beyond4));
        cube.CardOf(0).Send(In(cube, 0, 5, Beyond6));
        cube.CardOf(0).Send(In(cube, 0, 5, "10.77.255.254"));
        cube.CardOf(0).Send(In(cube, 0, 5, "fd37:cc:77::1"));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal((4, 0L), (came[5], cube[0].Counters.Spoofed.Value));
        string[] impossible =
        [
            "10.77.0.9",
            "10.77.255.253",
            "10.77.255.255",
            "127.0.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "fd37:cc:77:0:1:2:0:0",
            "fd37:cc:77::53",
            "fe80::7",
            "ff02::1",
            "::1",
            "::",
        ];
        foreach (string source in impossible)
        {
            cube.CardOf(0).Send(In(cube, 0, 5, source));
        }

        Assert.Equal(impossible.Length, cube[0].Counters.Spoofed.Value);
        cube.CardOf(1).Send(In(cube, 1, 5, Beyond4));
        cube.CardOf(1).Send(In(cube, 1, 5, "10.77.255.254"));
        Assert.Equal(2, cube[1].Counters.Spoofed.Value);

        // And if the sender does not look, the destination does.
        Come(cube, 0, 5, In(cube, 0, 5, Beyond4));
        Come(cube, 1, 5, In(cube, 1, 5, Beyond4));
        Come(cube, 0, 5, In(cube, 0, 5, "10.77.0.9"));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal((5, 2L), (came[5], cube[5].Counters.Refused.Value));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void To_the_gateway_goes_nothing_that_is_for_the_cube_and_a_gateway_has_none()
    {
        using TunnelCube cube = Of("0,0,0");
        int[] came = Listen(cube);
        foreach (string to in new[] { "10.77.0.9", "10.77.255.255", "127.0.0.1", "fe80::7", "fd37:cc:77::9" })
        {
            cube.CardOf(1).Send(Out(cube, 1, to));
        }

        cube.CardOf(0).Send(Out(cube, 0, Beyond4));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal((5L, 1L, 0), (cube[1].Counters.Foreign.Value, cube[0].Counters.Foreign.Value, came.Sum()));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Who_has_the_gateways_address_is_answered_where_there_is_one_and_not_to_itself()
    {
        using TunnelCube cube = Of("1,0,0");
        using TunnelCube without = new(2, 1, 1);
        List<byte[]> answers = [];
        cube.CardOf(0).Received = frame => answers.Add(frame.ToArray());
        without.CardOf(0).Received = frame => answers.Add(frame.ToArray());
        cube.CardOf(0).Send(BadInputTests.Arp(cube, cube.Addresses.Gateway4));
        without.CardOf(0).Send(BadInputTests.Arp(cube, cube.Addresses.Gateway4));
        byte[] answer = Assert.Single(answers);
        Assert.Equal(
            TunnelAddresses.GatewayEthernet,
            TunnelAddresses.ReadEthernet(answer.AsSpan(MachineFrame.Head + 8))
        );
        Assert.True(cube.Addresses.TryFindNeighbour6(Bytes("fd37:cc:77::1"), out ulong found));
        Assert.Equal(TunnelAddresses.GatewayEthernet, found);
        Assert.False(cube[1].Addresses.TryFindNeighbour4(cube.Addresses.Gateway4, out _));
        Assert.False(without.Addresses.TryFindNeighbour6(Bytes("fd37:cc:77::1"), out _));
    }

    [Fact]
    public void Cards_have_the_gateways_address_and_a_route_to_it_as_is_asked()
    {
        using TunnelCube cube = Of(new TunnelOptions { Gateways = ["1,0,0"], DefaultRoute = true });
        Assert.Equal((true, false), (cube.CardOf(1).Terms.IsGateway, cube.CardOf(1).Terms.HasDefaultRoute));
        Assert.Equal((false, true), (cube.CardOf(0).Terms.IsGateway, cube.CardOf(0).Terms.HasDefaultRoute));
        Assert.Equal(
            ("10.77.255.254", "fd37:cc:77::1"),
            ($"{cube.CardOf(0).Terms.Gateway4}", $"{cube.CardOf(0).Terms.Gateway6}")
        );
        using TunnelCube wrong = new(2, 1, 1, new TunnelOptions { Gateways = ["7,7,7"] });
        Assert.Contains("7,7,7 is no server of", wrong[0].Unwell);
        Assert.Single(new TunnelOptions { Gateways = ["1,0,0", "one"] }.Validate(null!));
    }

    [Fact]
    public void Whatever_a_gateways_machine_sends_nothing_comes_out_from_an_address_of_another_server()
    {
        using TunnelCube cube = Of("0,0,0");
        int came = 0;
        for (int rank = 1; rank < 15; rank++)
        {
            cube.CardOf(rank).Received = frame => came += IsOwnOrBeyond(cube, frame) ? 1 : 1_000_000;
        }

        byte[][] good = [In(cube, 0, 5, Beyond4), In(cube, 0, 5, Beyond6)];
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < count / 8; i++)
                {
                    byte[] frame = [.. good[random.Next(2)]];
                    BinaryPrimitives.WriteUInt32BigEndian(
                        frame.AsSpan(MachineFrame.Head + 12),
                        random.Next(2) == 0
                            ? (uint)random.NextInt64(uint.MaxValue)
                            : 0x0A4D_0000 + (uint)random.Next(20)
                    );
                    cube.CardOf(0).Send(random.Next(3) == 0 ? random.Bend(frame, frame, 200) : frame);
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
        Assert.Empty(cube.Cube.Faults);
        cube.AssertNothingLeft();
    }

    private static TunnelCube Of(params string[] gateways) => Of(new TunnelOptions { Gateways = gateways });

    private static TunnelCube Of(TunnelOptions options) => new(5, 3, 1, options);

    private static int[] Listen(TunnelCube cube)
    {
        int[] came = new int[cube.Shape.Count];
        for (int rank = 0; rank < came.Length; rank++)
        {
            int at = rank;
            cube.CardOf(rank).Received = _ => came[at]++;
        }

        return came;
    }

    private static bool IsNearer(TunnelCube cube, int rank, int first, int second)
    {
        Coordinate at = cube.Shape.At(rank);
        return rank != second
            && cube.Shape.Distance(at, cube.Shape.At(first)) <= cube.Shape.Distance(at, cube.Shape.At(second));
    }

    private static bool IsOwnOrBeyond(TunnelCube cube, ReadOnlySpan<byte> frame)
    {
        ushort etherType = BinaryPrimitives.ReadUInt16BigEndian(frame[(MachineFrame.Head - 2)..]);
        return InternetView.TryRead(etherType, frame[MachineFrame.Head..], out InternetView view)
            && (view.IsFrom(default, cube.Addresses) || view.IsFromBeyond(cube.Addresses))
            && TunnelAddresses.ReadEthernet(frame[16..]) == cube.Addresses.EthernetOf(default);
    }

    private static byte[] Bytes(string address) => IPAddress.Parse(address).GetAddressBytes();

    private static IPAddress SourceOf(byte[] frame)
    {
        ushort etherType = BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(MachineFrame.Head - 2));
        Assert.True(InternetView.TryRead(etherType, frame.AsSpan(MachineFrame.Head), out InternetView view));
        return new IPAddress(view.Source);
    }

    // From a machine to the gateway.
    private static byte[] Out(TunnelCube cube, int from, string to)
    {
        byte[] frame = Between(cube, from, from == 0 ? 1 : 0, to, isSource: false);
        TunnelAddresses.WriteEthernet(TunnelAddresses.GatewayEthernet, frame.AsSpan(VirtioHeader.Length));
        return frame;
    }

    // From another network, passed on by a server's machine.
    private static byte[] In(TunnelCube cube, int by, int to, string from) =>
        Between(cube, by, to, from, isSource: true);

    private static byte[] Between(TunnelCube cube, int from, int to, string address, bool isSource)
    {
        byte[] bytes = Bytes(address);
        (Coordinate a, Coordinate b) = (cube.Shape.At(from), cube.Shape.At(to));
        byte[] frame =
            bytes.Length == 16
                ? MachineFrame.Datagram6(cube[from].Addresses, a, b, 1, 1)
                : MachineFrame.Datagram4(cube[from].Addresses, a, b, 1, 1);
        int at = bytes.Length == 16 ? (isSource ? 8 : 24) : (isSource ? 12 : 16);
        bytes.CopyTo(frame, MachineFrame.Head + at);
        return frame;
    }

    private static void Come(TunnelCube cube, int from, int to, byte[] frame)
    {
        IServer server = cube.Cube[from].ServerOf<TunnelService>();
        byte[] body = frame[MachineFrame.Head..];
        Assert.True(server.Packets.TryRent(body.Length, out Packet? packet));
        var header = new TunnelHeader
        {
            EtherType = EtherTypes.Internet4,
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
