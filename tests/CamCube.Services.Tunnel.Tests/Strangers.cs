using System.Buffers.Binary;
using System.Net;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Machines behind a bridge, and frames between them and servers.</summary>
internal static class Strangers
{
    private const ulong First = 0x5254_0000_0000;

    /// <summary>Ethernet address of one.</summary>
    public static ulong EthernetOf(int number) => First + (ulong)number;

    /// <summary>IPv4 address of one, in the cube's network.</summary>
    public static uint Internet4Of(int number) => 0x0A4D_8000 + (uint)number;

    /// <summary>IPv6 address of one, in the cube's network.</summary>
    public static byte[] Internet6Of(int number) => IPAddress.Parse($"fd37:cc:77::2:{number:x}").GetAddressBytes();

    /// <summary>What a machine behind the bridge sends to a server's.</summary>
    public static byte[] In(TunnelCube cube, int number, int to, bool is6, int length = 100)
    {
        byte[] frame = Datagram(cube, to, to, is6, length);
        TunnelAddresses.WriteEthernet(EthernetOf(number), frame.AsSpan(VirtioHeader.Length + 6));
        WriteAddress(frame, number, is6, isSource: true);
        return frame;
    }

    /// <summary>What a server's machine sends to one behind the bridge.</summary>
    public static byte[] Out(TunnelCube cube, int from, int number, bool is6, int length = 100)
    {
        byte[] frame = Datagram(cube, from, from, is6, length);
        TunnelAddresses.WriteEthernet(EthernetOf(number), frame.AsSpan(VirtioHeader.Length));
        WriteAddress(frame, number, is6, isSource: false);
        return frame;
    }

    /// <summary>What a machine behind the bridge sends to all, or many, of the kinds of <see cref="FloodTraffic"/>.
    /// </summary>
    public static byte[] ToAll(TunnelCube cube, int number, int kind, int sequence, int length = 100)
    {
        byte[] frame = FloodTraffic.Frame(cube, 0, kind, sequence, length);
        TunnelAddresses.WriteEthernet(EthernetOf(number), frame.AsSpan(VirtioHeader.Length + 6));
        WriteAddress(frame, number, is6: kind % 3 == 2, isSource: true);
        return frame;
    }

    /// <summary>What one sends that has no address yet (DHCP).</summary>
    public static byte[] AskForAddress(TunnelCube cube, int number)
    {
        byte[] frame = ToAll(cube, number, kind: 0, sequence: 0, length: 300);
        Span<byte> ip = frame.AsSpan(MachineFrame.Head);
        ip.Slice(12, 4).Clear();
        InternetSum.WriteHeader4(ip[..20]);
        BinaryPrimitives.WriteUInt16BigEndian(ip[20..], 68);
        BinaryPrimitives.WriteUInt16BigEndian(ip[22..], 67);
        return frame;
    }

    /// <summary>Who has an address?</summary>
    public static byte[] Ask(ulong from, uint internet, uint asked)
    {
        byte[] frame = new byte[MachineFrame.Head + 28];
        Span<byte> ethernet = frame.AsSpan(VirtioHeader.Length),
            arp = frame.AsSpan(MachineFrame.Head);
        TunnelAddresses.WriteEthernet(GroupAddress.Broadcast, ethernet);
        TunnelAddresses.WriteEthernet(from, ethernet[6..]);
        BinaryPrimitives.WriteUInt16BigEndian(ethernet[12..], EtherTypes.Arp);
        BinaryPrimitives.WriteUInt64BigEndian(arp, 0x0001_0800_0604_0001);
        TunnelAddresses.WriteEthernet(from, arp[8..]);
        BinaryPrimitives.WriteUInt32BigEndian(arp[14..], internet);
        BinaryPrimitives.WriteUInt32BigEndian(arp[24..], asked);
        return frame;
    }

    /// <summary>The answer of one who has it.</summary>
    public static byte[] Tell(ulong from, uint internet, ulong to, uint asker)
    {
        byte[] frame = Ask(from, internet, asker);
        TunnelAddresses.WriteEthernet(to, frame.AsSpan(VirtioHeader.Length));
        frame[MachineFrame.Head + 7] = 2;
        TunnelAddresses.WriteEthernet(to, frame.AsSpan(MachineFrame.Head + 18));
        return frame;
    }

    /// <summary>Neighbour discovery of one, to a server's machine: of a kind, about an address.</summary>
    public static byte[] Discovery(TunnelCube cube, int number, int to, byte kind, ReadOnlySpan<byte> about)
    {
        byte[] frame = In(cube, number, to, is6: true, length: 16);
        Span<byte> ip = frame.AsSpan(MachineFrame.Head);
        (ip[6], ip[7]) = (EtherTypes.Icmp6, 255);
        ip[40..].Clear();
        ip[40] = kind;
        about.CopyTo(ip[48..]);
        return frame;
    }

    private static byte[] Datagram(TunnelCube cube, int from, int to, bool is6, int length)
    {
        (Coordinate a, Coordinate b) = (cube.Shape.At(from), cube.Shape.At(to));
        return is6
            ? MachineFrame.Datagram6(cube[from].Addresses, a, b, 1, 1, length)
            : MachineFrame.Datagram4(cube[from].Addresses, a, b, 1, 1, length);
    }

    private static void WriteAddress(byte[] frame, int number, bool is6, bool isSource)
    {
        Span<byte> ip = frame.AsSpan(MachineFrame.Head);
        if (is6)
        {
            Internet6Of(number).CopyTo(ip[(isSource ? 8 : 24)..]);
            return;
        }

        BinaryPrimitives.WriteUInt32BigEndian(ip[(isSource ? 12 : 16)..], Internet4Of(number));
        InternetSum.WriteHeader4(ip[..20]);
    }
}
