using System.Net;
using System.Net.NetworkInformation;
using System.Text;
using PacketDotNet;

namespace CamCube.Shim.Tests.Kit;

/// <summary>Frames that an ordinary network carries, as PacketDotNet builds them.</summary>
internal static class StrangeFrames
{
    private static readonly IPAddress One = IPAddress.Parse("192.0.2.7"),
        Two = IPAddress.Parse("192.0.2.8"),
        Six = IPAddress.Parse("2001:db8::7");

    /// <summary>One of each: who has an address, a datagram, a connection, a neighbour, a switch's name, a tagged
    /// frame.</summary>
    public static IEnumerable<byte[]> All(PhysicalAddress from, PhysicalAddress to)
    {
        yield return Arp(from, to);
        yield return Datagram(from, to);
        yield return On(
            from,
            to,
            EthernetType.IPv4,
            new IPv4Packet(One, Two) { PayloadPacket = new TcpPacket(40_000, 22) { Synchronize = true } }
        );
        yield return Neighbour(from, to);
        yield return Switch(from, to);
        yield return Tagged(from, to, 7, 0x0800, Datagram(from, to).AsSpan(14));
        yield return Tagged(from, to, 5, 0x88B5, [1, 99, .. new byte[44]]);
    }

    public static byte[] Arp(PhysicalAddress from, PhysicalAddress to) =>
        On(from, to, EthernetType.Arp, new ArpPacket(ArpOperation.Request, to, Two, from, One));

    public static byte[] Datagram(PhysicalAddress from, PhysicalAddress to) =>
        On(
            from,
            to,
            EthernetType.IPv4,
            new IPv4Packet(One, Two) { PayloadPacket = new UdpPacket(68, 67) { PayloadData = new byte[300] } }
        );

    public static byte[] Neighbour(PhysicalAddress from, PhysicalAddress to) =>
        On(
            from,
            to,
            EthernetType.IPv6,
            new IPv6Packet(Six, Six) { PayloadPacket = new UdpPacket(5_353, 5_353) { PayloadData = new byte[20] } }
        );

    /// <summary>ICMPv6 of a type, as neighbours ask and routers tell.</summary>
    public static byte[] ControlMessage(PhysicalAddress from, PhysicalAddress to, IPAddress source, byte type) =>
        On(
            from,
            to,
            EthernetType.IPv6,
            new IPv6Packet(source, Six) { NextHeader = ProtocolType.IcmpV6, PayloadData = [type, .. new byte[23]] }
        );

    /// <summary>LLDP of the switch "rack7", port "12", byte by byte: chassis, port, time to live, name, end.</summary>
    public static byte[] Switch(PhysicalAddress from, PhysicalAddress to, string name = "rack7") =>
        On(
            from,
            to,
            EthernetType.Lldp,
            [
                .. Tlv(1, [4, .. from.GetAddressBytes()]),
                .. Tlv(2, [7, .. "12"u8]),
                .. Tlv(3, [0, 120]),
                .. Tlv(5, Encoding.Latin1.GetBytes(name)),
                0,
                0,
            ]
        );

    /// <summary>Of any type, in a VLAN.</summary>
    public static byte[] Tagged(
        PhysicalAddress from,
        PhysicalAddress to,
        ushort vlan,
        ushort type,
        ReadOnlySpan<byte> payload
    ) =>
        On(
            from,
            to,
            EthernetType.VLanTaggedFrame,
            [(byte)(vlan >> 8), (byte)vlan, (byte)(type >> 8), (byte)type, .. payload]
        );

    public static byte[] On(PhysicalAddress from, PhysicalAddress to, EthernetType type, byte[] payload) =>
        new EthernetPacket(from, to, type) { PayloadData = payload }.Bytes;

    private static byte[] On(
        PhysicalAddress from,
        PhysicalAddress to,
        EthernetType type,
        PacketDotNet.Packet payload
    ) => new EthernetPacket(from, to, type) { PayloadPacket = payload }.Bytes;

    private static byte[] Tlv(int type, byte[] value) => [(byte)(type << 1), (byte)value.Length, .. value];
}
