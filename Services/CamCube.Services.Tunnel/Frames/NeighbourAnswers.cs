using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;

namespace CamCube.Services.Tunnel.Frames;

/// <summary>
/// Answers who asks for the Ethernet address of a server, or of the resolver, by ARP or neighbour discovery, without
/// asking anybody: the address follows from what was asked for. Nothing of this travels in the cube. Loop only;
/// allocates nothing.
/// </summary>
internal sealed class NeighbourAnswers(TunnelAddresses addresses, Coordinate own)
{
    /// <summary>Bytes of the longest answer.</summary>
    public const int MostBytes = 86;

    /// <summary>Kinds of ICMP for IPv6: who says that it passes packets on.</summary>
    public const byte RouterAdvertisement = 134;

    /// <summary>Who says which Ethernet address an address has.</summary>
    public const byte Advertisement = 136;

    /// <summary>Who says that another one passes packets on better.</summary>
    public const byte Redirect = 137;

    private const int ArpLength = 28;
    private const int SolicitationLength = 24;
    private const byte Solicitation = 135;
    private readonly ulong _ethernet = addresses.EthernetOf(own);

    /// <summary>Whether a frame is ARP or a neighbour solicitation, and so never travels.</summary>
    public static bool IsQuestion(ushort etherType, ReadOnlySpan<byte> payload) =>
        etherType == EtherTypes.Arp
        || (
            etherType == EtherTypes.Internet6
            && payload.Length > 40
            && payload[6] == EtherTypes.Icmp6
            && payload[40] == Solicitation
        );

    /// <summary>Answers a question.</summary>
    /// <param name="asker">Ethernet address of who asks: this machine, or one behind its bridge.</param>
    /// <param name="etherType">Of the frame.</param>
    /// <param name="payload">What is behind its Ethernet header.</param>
    /// <param name="answer">Room for <see cref="MostBytes"/>; the answer, an Ethernet frame.</param>
    /// <returns>Bytes of the answer; 0: nobody in the cube has the address, or the question is none. For one's own
    /// address nobody answers, or the system would not take it.</returns>
    public int Answer(ulong asker, ushort etherType, ReadOnlySpan<byte> payload, Span<byte> answer) =>
        etherType == EtherTypes.Arp ? AnswerArp(asker, payload, answer) : AnswerSolicitation(asker, payload, answer);

    private int AnswerArp(ulong asker, ReadOnlySpan<byte> asked, Span<byte> answer)
    {
        if (
            asked.Length < ArpLength
            || BinaryPrimitives.ReadUInt64BigEndian(asked) != 0x0001_0800_0604_0001
            || TunnelAddresses.ReadEthernet(asked[8..]) != asker
            || !addresses.TryFindNeighbour4(BinaryPrimitives.ReadUInt32BigEndian(asked[24..]), out ulong found)
            || IsSilent(asker, found)
        )
        {
            return 0;
        }

        Begin(answer, asker, found, EtherTypes.Arp);
        Span<byte> reply = answer.Slice(EtherTypes.HeaderLength, ArpLength);
        BinaryPrimitives.WriteUInt64BigEndian(reply, 0x0001_0800_0604_0002);
        TunnelAddresses.WriteEthernet(found, reply[8..]);
        asked.Slice(24, 4).CopyTo(reply[14..]);
        asked.Slice(8, 10).CopyTo(reply[18..]);
        return EtherTypes.HeaderLength + ArpLength;
    }

    private int AnswerSolicitation(ulong asker, ReadOnlySpan<byte> asked, Span<byte> answer)
    {
        if (
            !InternetView.TryRead(EtherTypes.Internet6, asked, out InternetView view)
            || view.Payload.Length < SolicitationLength
            || asked[7] != 255
            || !addresses.TryFindNeighbour6(view.Payload.Slice(8, 16), out ulong found)
            || IsSilent(asker, found)
        )
        {
            return 0;
        }

        // Who asks from no address only wants to know whether the address is taken, and has none to be answered at.
        bool hasAddress = view.Source.ContainsAnyExcept((byte)0);
        Begin(answer, asker, found, EtherTypes.Internet6);
        Span<byte> header = answer.Slice(EtherTypes.HeaderLength, 40),
            reply = answer.Slice(EtherTypes.HeaderLength + 40, 32);
        header.Clear();
        reply.Clear();
        header[0] = 0x60;
        BinaryPrimitives.WriteUInt16BigEndian(header[4..], 32);
        (header[6], header[7]) = (EtherTypes.Icmp6, 255);
        view.Payload.Slice(8, 16).CopyTo(header[8..]);
        if (hasAddress)
        {
            view.Source.CopyTo(header[24..]);
        }
        else
        {
            (header[24], header[25], header[39]) = (0xFF, 2, 1);
        }

        (reply[0], reply[4]) = (Advertisement, (byte)(hasAddress ? 0x60 : 0x20));
        view.Payload.Slice(8, 16).CopyTo(reply[8..]);
        (reply[24], reply[25]) = (2, 1);
        TunnelAddresses.WriteEthernet(found, reply[26..]);
        ulong sum = InternetSum.Pseudo(header[8..], EtherTypes.Icmp6, reply.Length);
        BinaryPrimitives.WriteUInt16BigEndian(reply[2..], (ushort)~InternetSum.Fold(InternetSum.Add(sum, reply)));
        return EtherTypes.HeaderLength + 72;
    }

    // For its own address a machine speaks itself, and only machines of the cube have resolver and gateway.
    private bool IsSilent(ulong asker, ulong found) =>
        found == _ethernet || (asker != _ethernet && !addresses.TryFindEthernet(found, out _));

    private static void Begin(Span<byte> frame, ulong asker, ulong from, ushort etherType)
    {
        TunnelAddresses.WriteEthernet(asker, frame);
        TunnelAddresses.WriteEthernet(from, frame[6..]);
        BinaryPrimitives.WriteUInt16BigEndian(frame[12..], etherType);
    }
}
