using System.Runtime.InteropServices;
using System.Text;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Interfaces;

/// <summary>Reads the messages of Linux's routing netlink: interfaces and their addresses. Numbers are in the machine's
/// byte order.</summary>
internal static class NetlinkReader
{
    /// <summary>RTM_NEWLINK.</summary>
    public const int NewLink = 16;

    /// <summary>RTM_DELLINK.</summary>
    public const int DeleteLink = 17;

    /// <summary>RTM_NEWADDR.</summary>
    public const int NewAddress = 20;

    /// <summary>NLMSG_DONE.</summary>
    public const int Done = 3;

    /// <summary>NLMSG_ERROR.</summary>
    public const int Error = 2;

    private const int MessageHeader = 16;
    private const int LinkHeader = 16;
    private const int AttributeHeader = 4;
    private const int EthernetType = 1;
    private const uint FlagUp = 0x1,
        FlagRunning = 0x40,
        FlagLoopback = 0x8;
    private const int ScopeLink = 253;

    // What a cable may be plugged into without being asked: hardware has no kind.
    private static readonly string[] CableKinds = ["", "veth", "macvlan", "vlan"];

    private enum Attribute
    {
        Address = 1,
        Name = 3,
        Mtu = 4,
        Master = 10,
        Information = 18,
        Kind = 1,
    }

    /// <summary>Cuts the next message off. False: no whole one is left.</summary>
    public static bool TryNext(ref ReadOnlySpan<byte> messages, out int type, out ReadOnlySpan<byte> body)
    {
        type = 0;
        body = default;
        if (messages.Length < MessageHeader)
        {
            return false;
        }

        type = MemoryMarshal.Read<ushort>(messages[4..]);
        return TryCut(ref messages, MessageHeader, MemoryMarshal.Read<uint>(messages), out body);
    }

    /// <summary>An interface, from the body of a message about a link.</summary>
    public static InterfaceInfo? ReadLink(ReadOnlySpan<byte> body)
    {
        if (body.Length < LinkHeader)
        {
            return null;
        }

        int type = MemoryMarshal.Read<ushort>(body[2..]);
        int index = MemoryMarshal.Read<int>(body[4..]);
        uint flags = MemoryMarshal.Read<uint>(body[8..]);
        string name = "",
            kind = "";
        int mtu = 0,
            master = 0;
        MacAddress address = default;
        ReadOnlySpan<byte> rest = body[LinkHeader..];
        while (TryAttribute(ref rest, out int attribute, out ReadOnlySpan<byte> value))
        {
            switch ((Attribute)attribute)
            {
                case Attribute.Name:
                    name = Text(value);
                    break;
                case Attribute.Mtu when value.Length >= 4:
                    mtu = (int)Math.Min(MemoryMarshal.Read<uint>(value), int.MaxValue);
                    break;
                case Attribute.Master when value.Length >= 4:
                    master = MemoryMarshal.Read<int>(value);
                    break;
                case Attribute.Address when value.Length >= MacAddress.Length:
                    address = MacAddress.Read(value);
                    break;
                case Attribute.Information:
                    kind = Kind(value);
                    break;
            }
        }

        return new InterfaceInfo
        {
            Name = name,
            Index = index,
            Mtu = mtu,
            IsUp = (flags & (FlagUp | FlagRunning)) == (FlagUp | FlagRunning),
            IsEthernet = type == EthernetType && (flags & FlagLoopback) == 0,
            Address = address,
            IsNoCable = master != 0 || !CableKinds.Contains(kind),
        };
    }

    /// <summary>The interface that has an address beyond its own cable, from the body of a message about an address; 0
    /// if it is not such an address.</summary>
    public static int ReadAddressed(ReadOnlySpan<byte> body) =>
        body.Length >= 8 && body[3] < ScopeLink ? MemoryMarshal.Read<int>(body[4..]) : 0;

    private static string Kind(ReadOnlySpan<byte> information)
    {
        while (TryAttribute(ref information, out int attribute, out ReadOnlySpan<byte> value))
        {
            if (attribute == (int)Attribute.Kind)
            {
                return Text(value);
            }
        }

        return "";
    }

    private static bool TryAttribute(ref ReadOnlySpan<byte> rest, out int type, out ReadOnlySpan<byte> value)
    {
        type = 0;
        value = default;
        if (rest.Length < AttributeHeader)
        {
            return false;
        }

        // The two highest bits are flags.
        type = MemoryMarshal.Read<ushort>(rest[2..]) & 0x3FFF;
        return TryCut(ref rest, AttributeHeader, MemoryMarshal.Read<ushort>(rest), out value);
    }

    /// <summary>Cuts off what says that it is so long, its header included, and what aligns the next one.</summary>
    private static bool TryCut(ref ReadOnlySpan<byte> rest, int header, uint length, out ReadOnlySpan<byte> content)
    {
        content = default;
        if (length < header || length > rest.Length)
        {
            return false;
        }

        content = rest[header..(int)length];
        rest = rest[Math.Min(rest.Length, ((int)length + 3) & ~3)..];
        return true;
    }

    private static string Text(ReadOnlySpan<byte> value)
    {
        int end = value.IndexOf((byte)0);
        return Encoding.UTF8.GetString(end < 0 ? value : value[..end]);
    }
}
