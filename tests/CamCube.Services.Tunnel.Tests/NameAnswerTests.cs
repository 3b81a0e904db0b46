using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Questions for names as a machine sends them to the resolver's address, and their answers.</summary>
public sealed class NameAnswerTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_question_is_answered_at_home_and_what_is_none_is_dropped(bool is6)
    {
        using var cube = new TunnelCube(3, 3, 1);
        List<byte[]> came = [];
        cube.CardOf(4).Received = frame => came.Add(frame.ToArray());
        byte[] query = ResolverTests.Query("2-1-0.camcube.internal", 1);
        cube.CardOf(4).Send(Question(cube, is6, query, port: 53));
        byte[] answer = Assert.Single(came);
        Assert.Equal(cube.Addresses.EthernetOf(cube.Shape.At(4)), TunnelAddresses.ReadEthernet(answer.AsSpan(10)));
        Assert.Equal(TunnelAddresses.ResolverEthernet, TunnelAddresses.ReadEthernet(answer.AsSpan(16)));
        ReadOnlySpan<byte> ip = answer.AsSpan(MachineFrame.Head);
        ushort etherType = is6 ? EtherTypes.Internet6 : EtherTypes.Internet4;
        Assert.True(InternetView.TryRead(etherType, ip, out InternetView view));
        Assert.Equal(ip.Length, view.Bytes.Length);
        Assert.Equal((53, 4_242), (Number(view.Payload), Number(view.Payload[2..])));
        Assert.Equal(view.Payload.Length, Number(view.Payload[4..]));
        ReadOnlySpan<byte> ends = is6 ? ip.Slice(8, 32) : ip.Slice(12, 8);
        ulong sum = InternetSum.Pseudo(ends, EtherTypes.Udp, view.Payload.Length);
        Assert.Equal(0xFFFF, InternetSum.Fold(InternetSum.Add(sum, view.Payload)));
        Assert.True(is6 || InternetSum.Fold(InternetSum.Add(0, ip[..20])) == 0xFFFF);
        Assert.Equal([10, 77, 0, 6], view.Payload[^4..].ToArray());

        cube.CardOf(4).Send(Question(cube, is6, query, port: 54));
        cube.CardOf(4).Send(Question(cube, is6, query[..^1], port: 53));
        byte[] toServer = Question(cube, is6, query, port: 53);
        toServer[MachineFrame.Head + (is6 ? 39 : 19)] ^= 1;
        cube.CardOf(4).Send(toServer);
        Assert.Single(came);
        Assert.Equal((1, 3), (cube[4].Counters.Resolved.Value, cube[4].Counters.NoQuestion.Value));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Who_has_the_resolvers_address_is_answered_too()
    {
        using var cube = new TunnelCube(3, 1, 1);
        List<byte[]> came = [];
        cube.CardOf(0).Received = frame => came.Add(frame.ToArray());
        cube.CardOf(0).Send(BadInputTests.Arp(cube, cube.Addresses.Resolver4));
        Assert.Equal(
            TunnelAddresses.ResolverEthernet,
            TunnelAddresses.ReadEthernet(came[0].AsSpan(MachineFrame.Head + 8))
        );
        byte[] asked = BadInputTests.Solicitation(cube, default, isDetection: false);
        cube.Addresses.WriteResolver6(asked.AsSpan(MachineFrame.Head + 48));
        cube.CardOf(0).Send(asked);
        Assert.Equal(
            TunnelAddresses.ResolverEthernet,
            TunnelAddresses.ReadEthernet(came[1].AsSpan(MachineFrame.Head + 66))
        );
        cube.AssertNothingLeft();
    }

    private static int Number(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt16BigEndian(bytes);

    private static byte[] Question(TunnelCube cube, bool is6, byte[] query, ushort port)
    {
        Coordinate own = cube.Shape.At(4);
        byte[] frame = is6
            ? MachineFrame.Datagram6(cube.Addresses, own, own, 4_242, 1, query.Length)
            : MachineFrame.Datagram4(cube.Addresses, own, own, 4_242, 1, query.Length);
        TunnelAddresses.WriteEthernet(TunnelAddresses.ResolverEthernet, frame.AsSpan(VirtioHeader.Length));
        Span<byte> ip = frame.AsSpan(MachineFrame.Head),
            udp = ip[(is6 ? 40 : 20)..];
        if (is6)
        {
            cube.Addresses.WriteResolver6(ip[24..]);
        }
        else
        {
            BinaryPrimitives.WriteUInt32BigEndian(ip[16..], cube.Addresses.Resolver4);
            InternetSum.WriteHeader4(ip[..20]);
        }

        BinaryPrimitives.WriteUInt16BigEndian(udp[2..], port);
        BinaryPrimitives.WriteUInt16BigEndian(udp[4..], (ushort)udp.Length);
        query.CopyTo(udp[8..]);
        return frame;
    }
}
