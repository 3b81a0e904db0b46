using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Services.Tunnel.Names;

/// <summary>Answers the machine's questions for names, as datagrams between it and the resolver's address. Nothing of
/// this travels in the cube. Loop only; allocates nothing.</summary>
internal sealed class NameAnswers(TunnelAddresses addresses, TorusShape shape, Coordinate own)
{
    /// <summary>Bytes of the longest answer.</summary>
    public const int MostBytes = EtherTypes.HeaderLength + Length6 + Udp + DnsAnswer.MostBytes;

    private const int Length4 = 20,
        Length6 = 40,
        Udp = 8;
    private const ushort Port = 53;
    private readonly Resolver _resolver = new(addresses, shape);

    /// <summary>Answers a packet to the resolver.</summary>
    /// <param name="asked">The packet, from this machine's own address.</param>
    /// <param name="frame">Room for <see cref="MostBytes"/>; an Ethernet frame.</param>
    /// <returns>Its bytes; 0: the packet is no question that can be.</returns>
    public int Answer(in InternetView asked, Span<byte> frame)
    {
        ReadOnlySpan<byte> udp = asked.Payload;
        if (asked.Protocol != EtherTypes.Udp || asked.IsFragment || udp.Length < Udp || !IsToResolver(asked))
        {
            return 0;
        }

        int header = asked.Is6 ? Length6 : Length4,
            length = BinaryPrimitives.ReadUInt16BigEndian(udp[4..]);
        Span<byte> ip = frame[EtherTypes.HeaderLength..],
            reply = ip[header..];
        if (BinaryPrimitives.ReadUInt16BigEndian(udp[2..]) != Port || length < Udp || length > udp.Length)
        {
            return 0;
        }

        int bytes = _resolver.Answer(udp[Udp..length], reply[Udp..]);
        if (bytes == 0)
        {
            return 0;
        }

        TunnelAddresses.WriteEthernet(addresses.EthernetOf(own), frame);
        TunnelAddresses.WriteEthernet(TunnelAddresses.ResolverEthernet, frame[TunnelAddresses.EthernetLength..]);
        BinaryPrimitives.WriteUInt16BigEndian(frame[12..], asked.Is6 ? EtherTypes.Internet6 : EtherTypes.Internet4);
        reply = reply[..(Udp + bytes)];
        ip[..header].Clear();
        WriteInternet(asked, ip, reply.Length);
        udp[..2].CopyTo(reply[2..]);
        udp.Slice(2, 2).CopyTo(reply);
        BinaryPrimitives.WriteUInt16BigEndian(reply[4..], (ushort)reply.Length);
        ReadOnlySpan<byte> ends = asked.Is6 ? ip.Slice(8, 32) : ip.Slice(12, 8);
        ushort sum = InternetSum.Fold(InternetSum.Pseudo(ends, EtherTypes.Udp, reply.Length));
        BinaryPrimitives.WriteUInt16BigEndian(reply[6..], sum);
        InternetSum.Finish(reply, 6);
        return EtherTypes.HeaderLength + header + reply.Length;
    }

    private bool IsToResolver(in InternetView asked)
    {
        if (!asked.Is6)
        {
            return BinaryPrimitives.ReadUInt32BigEndian(asked.Destination) == addresses.Resolver4;
        }

        Span<byte> resolver = stackalloc byte[16];
        addresses.WriteResolver6(resolver);
        return asked.Destination.SequenceEqual(resolver);
    }

    private static void WriteInternet(in InternetView asked, Span<byte> ip, int length)
    {
        if (asked.Is6)
        {
            (ip[0], ip[6], ip[7]) = (0x60, EtherTypes.Udp, 64);
            BinaryPrimitives.WriteUInt16BigEndian(ip[4..], (ushort)length);
            asked.Destination.CopyTo(ip[8..]);
            asked.Source.CopyTo(ip[24..]);
            return;
        }

        (ip[0], ip[8], ip[9]) = (0x45, 64, EtherTypes.Udp);
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)(Length4 + length));
        asked.Destination.CopyTo(ip[12..]);
        asked.Source.CopyTo(ip[16..]);
        InternetSum.WriteHeader4(ip[..Length4]);
    }
}
