using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Services.Tunnel.Flooding;

/// <summary>Addresses of all, or of many: which of IP they are, and on Ethernet (RFC 1112, RFC 2464). Immutable; any
/// thread; nothing allocates.</summary>
internal static class GroupAddress
{
    /// <summary>All on an Ethernet.</summary>
    public const ulong Broadcast = 0xFFFF_FFFF_FFFF;

    /// <summary>Groups of IPv6: their lower half is that of the IP address.</summary>
    public const ulong Multicast6 = 0x3333_0000_0000;

    private const ulong GroupBit = 0x0100_0000_0000,
        Multicast4 = 0x0100_5E00_0000;
    private const uint LowBits4 = 0x7F_FFFF;

    /// <summary>Whether a frame to this Ethernet address is for more than one.</summary>
    public static bool IsGroup(ulong ethernet) => (ethernet & GroupBit) != 0;

    /// <summary>The Ethernet address of an IP packet for all, or many; 0: it is for one.</summary>
    public static ulong Of(in InternetView view, TunnelAddresses addresses)
    {
        ReadOnlySpan<byte> to = view.Destination;
        if (view.Is6)
        {
            return to[0] == 0xFF ? Multicast6 | BinaryPrimitives.ReadUInt32BigEndian(to[12..]) : 0;
        }

        uint number = BinaryPrimitives.ReadUInt32BigEndian(to);
        return number == uint.MaxValue || number == addresses.Broadcast4 ? Broadcast
            : number >> 28 == 0xE ? Multicast4 | (number & LowBits4)
            : 0;
    }
}
