using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;

namespace CamCube.Services.Tunnel.Frames;

/// <summary>
/// Tells the machine that a server cannot be reached (ICMP, RFC 792 and 4443), so that programs need not wait for their
/// time-outs. Said by the address of the resolver, which no machine has: from an address of its
/// own, as that of the gateway may be, it would not take it. Loop only;
/// allocates nothing.
/// </summary>
internal sealed class UnreachableNotes(TunnelAddresses addresses, Coordinate own)
{
    /// <summary>Bytes of the longest note.</summary>
    public const int MostBytes = EtherTypes.HeaderLength + 48 + Most6;

    // What is told of the packet: its headers and what identifies its connection, in any case.
    private const int Most4 = 128,
        Most6 = 512;
    private const int Length4 = 20,
        Length6 = 40,
        Icmp = 8;
    private const byte HostUnreachable4 = 3,
        HostUnreachableCode4 = 1,
        Unreachable6 = 1,
        AddressUnreachableCode6 = 3;
    private const byte EchoRequest4 = 8,
        FirstInformation6 = 128;
    private readonly ulong _ethernet = addresses.EthernetOf(own);

    /// <summary>Writes the note that belongs to a packet.</summary>
    /// <param name="view">The packet, from this machine's own address.</param>
    /// <param name="note">Room for <see cref="MostBytes"/>; an Ethernet frame.</param>
    /// <returns>Its bytes; 0: there must be none, as to a part of a packet but the first, or to ICMP errors.</returns>
    public int Write(in InternetView view, Span<byte> note)
    {
        if (!MayBeTold(view))
        {
            return 0;
        }

        ReadOnlySpan<byte> told = view.Bytes[..Math.Min(view.Bytes.Length, view.Is6 ? Most6 : Most4)];
        TunnelAddresses.WriteEthernet(_ethernet, note);
        TunnelAddresses.WriteEthernet(TunnelAddresses.ResolverEthernet, note[6..]);
        ushort etherType = view.Is6 ? EtherTypes.Internet6 : EtherTypes.Internet4;
        BinaryPrimitives.WriteUInt16BigEndian(note[12..], etherType);
        int header = view.Is6 ? Length6 : Length4,
            length = header + Icmp + told.Length;
        Span<byte> ip = note.Slice(EtherTypes.HeaderLength, length),
            icmp = ip[header..];
        ip[..(header + Icmp)].Clear();
        told.CopyTo(icmp[Icmp..]);
        ulong sum = 0;
        if (view.Is6)
        {
            (ip[0], ip[6], ip[7]) = (0x60, EtherTypes.Icmp6, 64);
            BinaryPrimitives.WriteUInt16BigEndian(ip[4..], (ushort)icmp.Length);
            addresses.WriteResolver6(ip[8..]);
            view.Source.CopyTo(ip[24..]);
            (icmp[0], icmp[1]) = (Unreachable6, AddressUnreachableCode6);
            sum = InternetSum.Pseudo(ip.Slice(8, 32), EtherTypes.Icmp6, icmp.Length);
        }
        else
        {
            (ip[0], ip[8], ip[9]) = (0x45, 64, EtherTypes.Icmp4);
            BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)length);
            BinaryPrimitives.WriteUInt32BigEndian(ip[12..], addresses.Resolver4);
            view.Source.CopyTo(ip[16..]);
            InternetSum.WriteHeader4(ip[..Length4]);
            (icmp[0], icmp[1]) = (HostUnreachable4, HostUnreachableCode4);
        }

        BinaryPrimitives.WriteUInt16BigEndian(icmp[2..], (ushort)~InternetSum.Fold(InternetSum.Add(sum, icmp)));
        return EtherTypes.HeaderLength + length;
    }

    private static bool MayBeTold(in InternetView view)
    {
        bool isLaterPart = !view.Is6 && (BinaryPrimitives.ReadUInt16BigEndian(view.Bytes[6..]) & 0x1FFF) != 0;
        return !isLaterPart
            && view.Protocol switch
            {
                EtherTypes.Icmp4 when !view.Is6 => !view.Payload.IsEmpty && view.Payload[0] == EchoRequest4,
                EtherTypes.Icmp6 when view.Is6 => !view.Payload.IsEmpty && view.Payload[0] >= FirstInformation6,
                _ => true,
            };
    }
}
