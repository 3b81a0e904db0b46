using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Experiments.Tunnels;

/// <summary>Frames as a machine sends them, virtio header first.</summary>
internal static class MachineFrame
{
    public const int Head = VirtioHeader.Length + EtherTypes.HeaderLength;

    // Bytes of headers in front of what a datagram carries.
    public const int DatagramHead4 = Head + 28,
        DatagramHead6 = Head + 48;

    /// <summary>A UDP datagram over IPv4 with a number in it.</summary>
    public static byte[] Datagram4(
        TunnelAddresses addresses,
        Coordinate from,
        Coordinate to,
        ushort flow,
        int number,
        int length = 100
    )
    {
        byte[] frame = Ethernet(addresses, from, to, EtherTypes.Internet4, 28 + length);
        Span<byte> ip = frame.AsSpan(Head);
        ip[0] = 0x45;
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)ip.Length);
        (ip[8], ip[9]) = (64, EtherTypes.Udp);
        BinaryPrimitives.WriteUInt32BigEndian(ip[12..], addresses.Internet4Of(from));
        BinaryPrimitives.WriteUInt32BigEndian(ip[16..], addresses.Internet4Of(to));
        InternetSum.WriteHeader4(ip[..20]);
        Datagram(ip[20..], flow, number);
        return frame;
    }

    /// <summary>The same over IPv6.</summary>
    public static byte[] Datagram6(
        TunnelAddresses addresses,
        Coordinate from,
        Coordinate to,
        ushort flow,
        int number,
        int length = 100
    )
    {
        byte[] frame = Ethernet(addresses, from, to, EtherTypes.Internet6, 48 + length);
        Span<byte> ip = frame.AsSpan(Head);
        ip[0] = 0x60;
        BinaryPrimitives.WriteUInt16BigEndian(ip[4..], (ushort)(ip.Length - 40));
        (ip[6], ip[7]) = (EtherTypes.Udp, 64);
        addresses.Write6(from, ip[8..]);
        addresses.Write6(to, ip[24..]);
        Datagram(ip[40..], flow, number);
        return frame;
    }

    /// <summary>A frame with nothing in it.</summary>
    public static byte[] Ethernet(
        TunnelAddresses addresses,
        Coordinate from,
        Coordinate to,
        ushort etherType,
        int length
    )
    {
        byte[] frame = new byte[Head + length];
        Span<byte> ethernet = frame.AsSpan(VirtioHeader.Length);
        TunnelAddresses.WriteEthernet(addresses.EthernetOf(to), ethernet);
        TunnelAddresses.WriteEthernet(addresses.EthernetOf(from), ethernet[6..]);
        BinaryPrimitives.WriteUInt16BigEndian(ethernet[12..], etherType);
        return frame;
    }

    /// <summary>Flow and number of a datagram over IPv4.</summary>
    public static (ushort Flow, int Number) Read4(ReadOnlySpan<byte> frame) =>
        (
            BinaryPrimitives.ReadUInt16BigEndian(frame[(Head + 20)..]),
            BinaryPrimitives.ReadInt32BigEndian(frame[DatagramHead4..])
        );

    private static void Datagram(Span<byte> udp, ushort flow, int number)
    {
        BinaryPrimitives.WriteUInt16BigEndian(udp, flow);
        BinaryPrimitives.WriteUInt16BigEndian(udp[2..], 7);
        BinaryPrimitives.WriteUInt16BigEndian(udp[4..], (ushort)udp.Length);
        BinaryPrimitives.WriteInt32BigEndian(udp[8..], number);
        for (int i = 12; i < udp.Length; i++)
        {
            udp[i] = (byte)(number + i);
        }
    }
}
