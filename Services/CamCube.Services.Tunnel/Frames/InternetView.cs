using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;

namespace CamCube.Services.Tunnel.Frames;

/// <summary>An IP packet, version 4 or 6, read in place. What it says of itself was checked against its length; what is
/// behind the headers was not.</summary>
internal readonly ref struct InternetView
{
    private const int Length4 = 20,
        Length6 = 40;
    private const int FragmentBits = 0x3FFF;

    private InternetView(ReadOnlySpan<byte> bytes, bool is6, int headerLength, byte protocol, bool isFragment)
    {
        Bytes = bytes;
        (Is6, HeaderLength, Protocol, IsFragment) = (is6, headerLength, protocol, isFragment);
    }

    /// <summary>The packet, without what was behind it.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Whether it is IPv6.</summary>
    public bool Is6 { get; }

    /// <summary>Bytes of the IP header; of IPv6 without its extensions.</summary>
    public int HeaderLength { get; }

    /// <summary>What it carries; of IPv6 perhaps an extension.</summary>
    public byte Protocol { get; }

    /// <summary>Whether it is a part of an IPv4 packet.</summary>
    public bool IsFragment { get; }

    /// <summary>Source address, 4 or 16 bytes.</summary>
    public ReadOnlySpan<byte> Source => Is6 ? Bytes.Slice(8, 16) : Bytes.Slice(12, 4);

    /// <summary>Destination address, 4 or 16 bytes.</summary>
    public ReadOnlySpan<byte> Destination => Is6 ? Bytes.Slice(24, 16) : Bytes.Slice(16, 4);

    /// <summary>What is behind the header.</summary>
    public ReadOnlySpan<byte> Payload => Bytes[HeaderLength..];

    /// <summary>Whether ports stand at the beginning of the payload.</summary>
    public bool HasPorts =>
        Protocol is EtherTypes.Tcp or EtherTypes.Udp && !IsFragment && Bytes.Length >= HeaderLength + 4;

    /// <summary>Reads a packet of a kind of Ethernet frame. False: it is none that can be.</summary>
    /// <param name="etherType">What the frame says it is.</param>
    /// <param name="bytes">The packet, maybe with bytes behind it (short frames are filled up).</param>
    /// <param name="view">The packet.</param>
    public static bool TryRead(ushort etherType, ReadOnlySpan<byte> bytes, out InternetView view)
    {
        view = default;
        if (etherType == EtherTypes.Internet4 && bytes.Length >= Length4 && bytes[0] >> 4 == 4)
        {
            int header = (bytes[0] & 15) * 4,
                total = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]);
            if (header < Length4 || total < header || total > bytes.Length)
            {
                return false;
            }

            bool isFragment = (BinaryPrimitives.ReadUInt16BigEndian(bytes[6..]) & FragmentBits) != 0;
            view = new InternetView(bytes[..total], is6: false, header, bytes[9], isFragment);
            return true;
        }

        if (etherType == EtherTypes.Internet6 && bytes.Length >= Length6 && bytes[0] >> 4 == 6)
        {
            int total = Length6 + BinaryPrimitives.ReadUInt16BigEndian(bytes[4..]);
            if (total > bytes.Length)
            {
                return false;
            }

            view = new InternetView(bytes[..total], is6: true, Length6, bytes[6], isFragment: false);
            return true;
        }

        return false;
    }

    /// <summary>Whether its source address is a server's.</summary>
    public bool IsFrom(Coordinate server, TunnelAddresses addresses) =>
        Is6
            ? addresses.TryFind6(Source, out Coordinate from) && from == server
            : BinaryPrimitives.ReadUInt32BigEndian(Source) == addresses.Internet4Of(server);

    /// <summary>Whether its source address is one that a gateway passes on.</summary>
    public bool IsFromBeyond(TunnelAddresses addresses) =>
        Is6 ? addresses.IsBeyond6(Source) : addresses.IsBeyond4(BinaryPrimitives.ReadUInt32BigEndian(Source));

    /// <summary>Whether its destination address is one that a gateway passes on.</summary>
    public bool IsToBeyond(TunnelAddresses addresses) =>
        Is6 ? addresses.IsBeyond6(Destination) : addresses.IsBeyond4(BinaryPrimitives.ReadUInt32BigEndian(Destination));

    /// <summary>Whether an unfinished checksum can stand there.</summary>
    /// <param name="start">Where it begins, from the start of the packet.</param>
    /// <param name="offset">Where it stands, from there.</param>
    public bool HasSum(int start, int offset) => start >= HeaderLength && start + offset + 2 <= Bytes.Length;

    /// <summary>A number of its flow: addresses and protocol, and ports where every packet of the flow has them. The
    /// same in every process.</summary>
    public uint FlowHash()
    {
        ulong hash = Protocol;
        ReadOnlySpan<byte> addresses = Is6 ? Bytes.Slice(8, 32) : Bytes.Slice(12, 8);
        for (int i = 0; i < addresses.Length; i += 4)
        {
            hash = Mix(hash ^ BinaryPrimitives.ReadUInt32BigEndian(addresses[i..]));
        }

        if (HasPorts)
        {
            hash = Mix(hash ^ BinaryPrimitives.ReadUInt32BigEndian(Payload));
        }

        return (uint)(hash >> 32);
    }

    private static ulong Mix(ulong value)
    {
        value *= 0x9E37_79B9_7F4A_7C15;
        return value ^ (value >> 29);
    }
}
