using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Addresses;

namespace CamCube.Services.Tunnel.Frames;

/// <summary>A frame as it is at the card, virtio header first, read in place: one of IP, or one that asks for an
/// address. What it says of lengths, checksums and segments was checked.</summary>
internal readonly ref struct CardFrame
{
    // Of ARP over Ethernet for IPv4, without what is asked for or answered.
    private const uint ArpKind = 0x0001_0800;
    private const ushort ArpLengths = 0x0604;
    private const int ArpLength = 28;

    private CardFrame(ReadOnlySpan<byte> bytes, InternetView view)
    {
        Bytes = bytes;
        View = view;
        ReadOnlySpan<byte> ethernet = bytes[VirtioHeader.Length..];
        (To, From) = (TunnelAddresses.ReadEthernet(ethernet), TunnelAddresses.ReadEthernet(ethernet[6..]));
        EtherType = BinaryPrimitives.ReadUInt16BigEndian(ethernet[12..]);
    }

    /// <summary>All of it.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Ethernet address of whom it is for.</summary>
    public ulong To { get; }

    /// <summary>Ethernet address of who sends it.</summary>
    public ulong From { get; }

    /// <summary>What it is: <see cref="EtherTypes.Arp"/>, or one of IP.</summary>
    public ushort EtherType { get; }

    /// <summary>Its packet; nothing of ARP.</summary>
    public InternetView View { get; }

    /// <summary>What is behind its Ethernet header.</summary>
    public ReadOnlySpan<byte> Payload => Bytes[EtherTypes.CardLength..];

    /// <summary>Whether it asks for an address.</summary>
    public bool IsQuestion => NeighbourAnswers.IsQuestion(EtherType, Payload);

    /// <summary>The IPv4 address of who sends ARP.</summary>
    public uint ArpSource => BinaryPrimitives.ReadUInt32BigEndian(Payload[14..]);

    /// <summary>A number of its flow.</summary>
    public uint FlowHash => EtherType == EtherTypes.Arp ? (uint)(From ^ To) : View.FlowHash();

    /// <summary>Reads one. False: it is neither, or it cannot be.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out CardFrame frame)
    {
        frame = default;
        if (bytes.Length < EtherTypes.CardLength)
        {
            return false;
        }

        VirtioHeader virtio = MemoryMarshal.Read<VirtioHeader>(bytes);
        ushort etherType = BinaryPrimitives.ReadUInt16BigEndian(bytes[(EtherTypes.CardLength - 2)..]);
        ReadOnlySpan<byte> payload = bytes[EtherTypes.CardLength..];
        if (etherType == EtherTypes.Arp)
        {
            bool isRight = (virtio.Flags & VirtioHeader.NeedsSum) == 0 && virtio.SegmentKind == 0 && IsArp(bytes);
            frame = isRight ? new CardFrame(bytes, default) : default;
            return isRight;
        }

        if (!InternetView.TryRead(etherType, payload, out InternetView view) || !IsRight(virtio, view))
        {
            return false;
        }

        frame = new CardFrame(bytes, view);
        return true;
    }

    // Who sends it says the same of itself in both places: its answers are believed.
    private static bool IsArp(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<byte> arp = bytes[EtherTypes.CardLength..];
        return arp.Length >= ArpLength
            && BinaryPrimitives.ReadUInt32BigEndian(arp) == ArpKind
            && BinaryPrimitives.ReadUInt16BigEndian(arp[4..]) == ArpLengths
            && arp.Slice(8, TunnelAddresses.EthernetLength)
                .SequenceEqual(bytes.Slice(VirtioHeader.Length + 6, TunnelAddresses.EthernetLength));
    }

    private static bool IsRight(in VirtioHeader virtio, in InternetView view)
    {
        bool isPartial = (virtio.Flags & VirtioHeader.NeedsSum) != 0;
        int start = virtio.SumStart - EtherTypes.HeaderLength;
        if (virtio.SegmentKind == 0)
        {
            return !isPartial || view.HasSum(start, virtio.SumOffset);
        }

        return isPartial
            && (virtio.SegmentKind & ~VirtioHeader.Ecn) == PacketSegments.KindOf(view)
            && virtio.SegmentBytes > 0
            && PacketSegments.HeadersOf(view) > 0
            && (start, virtio.SumOffset) == (view.HeaderLength, PacketSegments.SumOffsetOf(view.Protocol));
    }
}
