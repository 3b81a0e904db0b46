using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Text;
using CamCube.Shim.Ethernet.Frames;
using PacketDotNet;
using PacketDotNet.Lldp;

namespace CamCube.Shim.Ethernet.Foreign;

/// <summary>Says what a frame is and who sent it, by PacketDotNet. The bytes are anybody's: nothing of them makes it
/// throw, and its texts are short and printable.</summary>
internal readonly record struct ForeignFrame(int Rank, string Protocol, string Source)
{
    private const int Longest = 40;
    private const int LongestLength = 1_500;
    private const byte SpanningTree = 0x42;
    private const ushort TypeSix = 0x86DD;
    private const byte ControlMessages = 58;
    private const byte RouterAdvertisement = 134;

    // Behind the Ethernet header: what follows IPv6's header, its source, and a control message's type.
    private const int NextHeaderAt = 20,
        SourceAt = 22,
        MessageAt = 54;

    /// <summary>Rank of the kind that says least: who sent it is an Ethernet address.</summary>
    public const int Unknown = 0;

    /// <summary>Whether it is what every system says on an interface that is up, without being told to: IPv6 from no
    /// address or from one of the cable, unless it is a router's. A server whose host does not run yet does
    /// so.</summary>
    public static bool IsIdleTalk(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < MessageAt || BinaryPrimitives.ReadUInt16BigEndian(bytes[12..]) != TypeSix)
        {
            return false;
        }

        ReadOnlySpan<byte> source = bytes.Slice(SourceAt, 16);
        bool isOfCable = (source[0] == 0xFE && (source[1] & 0xC0) == 0x80) || !source.ContainsAnyExcept((byte)0);
        bool isRouter =
            bytes[NextHeaderAt] == ControlMessages
            && bytes.Length > MessageAt
            && bytes[MessageAt] == RouterAdvertisement;
        return isOfCable && !isRouter;
    }

    /// <summary>Reads a frame. Allocates a few hundred bytes: for samples only.</summary>
    /// <param name="bytes">Its beginning, at least the Ethernet header.</param>
    public static ForeignFrame Read(ReadOnlySpan<byte> bytes)
    {
        MacAddress sender = EthernetHeader.Source(bytes);
        ushort type = BinaryPrimitives.ReadUInt16BigEndian(bytes[12..]);
        try
        {
            if (
                PacketDotNet.Packet.ParsePacket(LinkLayers.Ethernet, bytes.ToArray()) is EthernetPacket frame
                && Read(frame.PayloadPacket) is { } known
            )
            {
                return known with { Source = known.Source.Length == 0 ? sender.ToString() : known.Source };
            }
        }
        catch (Exception)
        {
            // A frame that is cut, or made to be misread: its type has to do.
        }

        return new ForeignFrame(Unknown, NameOf(type, bytes), sender.ToString());
    }

    private static ForeignFrame? Read(PacketDotNet.Packet? packet) =>
        packet switch
        {
            LldpPacket lldp => new ForeignFrame(5, "LLDP", Printable(NameIn(lldp))),
            IPv4Packet ip => new ForeignFrame(4, "IPv4", NameOf(ip.SourceAddress)),
            ArpPacket arp => new ForeignFrame(3, "ARP", NameOf(arp.SenderProtocolAddress)),
            IPv6Packet ip => new ForeignFrame(2, "IPv6", NameOf(ip.SourceAddress)),
            Ieee8021QPacket tagged => ReadTagged(tagged),
            _ => null,
        };

    private static ForeignFrame ReadTagged(Ieee8021QPacket tagged)
    {
        string vlan =
            tagged.VlanIdentifier == 0
                ? ""
                : string.Create(CultureInfo.InvariantCulture, $"VLAN {tagged.VlanIdentifier} ");
        ForeignFrame inner =
            Read(tagged.PayloadPacket) ?? new ForeignFrame(Unknown + 1, NameOf((ushort)tagged.Type, default), "");
        return inner with { Protocol = vlan + inner.Protocol };
    }

    /// <summary>Who has no address yet asks for one from 0.0.0.0 or ::, which names nobody.</summary>
    private static string NameOf(IPAddress address) =>
        address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any) ? "" : address.ToString();

    /// <summary>How a switch calls itself and its port; if it says no name, its identity.</summary>
    private static string NameIn(LldpPacket lldp)
    {
        string name = "",
            chassis = "",
            port = "";
        foreach (Tlv tlv in lldp.TlvCollection)
        {
            switch (tlv)
            {
                case SystemNameTlv system:
                    name = system.Name;
                    break;
                case ChassisIdTlv identity:
                    chassis = TextOf(identity.SubTypeValue);
                    break;
                case PortIdTlv identity:
                    port = TextOf(identity.SubTypeValue);
                    break;
            }
        }

        name = name.Length > 0 ? name : chassis;
        return name.Length > 0 && port.Length > 0 ? $"{name} port {port}" : name;
    }

    private static string TextOf(object? value) =>
        value switch
        {
            PhysicalAddress address => string.Join(
                ':',
                address.GetAddressBytes().Select(b => b.ToString("x2", CultureInfo.InvariantCulture))
            ),
            byte[] bytes => Encoding.ASCII.GetString(bytes),
            _ => value?.ToString() ?? "",
        };

    private static string NameOf(ushort type, ReadOnlySpan<byte> frame) =>
        type switch
        {
            EthernetHeader.EtherType => "CamCube",
            <= LongestLength => frame.Length > EthernetHeader.Length && frame[EthernetHeader.Length] == SpanningTree
                ? "STP"
                : "IEEE 802.2",
            _ => string.Create(CultureInfo.InvariantCulture, $"EtherType 0x{type:X4}"),
        };

    /// <summary>What a stranger says of itself ends up in logs and on terminals.</summary>
    private static string Printable(string text)
    {
        var printable = new StringBuilder(Longest);
        foreach (char c in text.AsSpan(0, Math.Min(text.Length, Longest)))
        {
            printable.Append(c is >= ' ' and <= '~' ? c : '?');
        }

        return printable.ToString().Trim();
    }
}
