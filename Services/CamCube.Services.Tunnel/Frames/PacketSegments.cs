using System.Buffers.Binary;

namespace CamCube.Services.Tunnel.Frames;

/// <summary>
/// A long packet of TCP or UDP as the system hands it over to be cut (TSO, USO): headers once, and the data of many
/// segments, of UDP of as many datagrams. Read in place; cut into packets of several segments each, of which every one
/// is again such a packet, or a plain one. Nothing but lengths, numbers and flags of the headers changes, as a network
/// card does it.
/// </summary>
internal readonly ref struct PacketSegments
{
    private const int LeastTcp = 20,
        UdpLength = 8;
    private const int SumOfTcp = 16,
        SumOfUdp = 6;
    private const byte Fin = 1,
        Push = 8,
        Reduced = 128;
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly int _internetHeader;
    private readonly bool _is6;

    private PacketSegments(in InternetView view, int headerLength, int segment, int perPacket)
    {
        _bytes = view.Bytes;
        (_internetHeader, _is6, HeaderLength, Segment) = (view.HeaderLength, view.Is6, headerLength, segment);
        Data = perPacket;
        Count = (_bytes.Length - headerLength + perPacket - 1) / perPacket;
    }

    /// <summary>Bytes of the headers of IP and TCP, or UDP.</summary>
    public int HeaderLength { get; }

    /// <summary>Bytes of data of a segment.</summary>
    public int Segment { get; }

    /// <summary>Bytes of data of a packet, but for the last one: whole segments.</summary>
    public int Data { get; }

    /// <summary>Packets.</summary>
    public int Count { get; }

    /// <summary>Kind of segments that a packet may have, as in a virtio header; 0: none.</summary>
    public static byte KindOf(in InternetView view) =>
        view.Protocol switch
        {
            EtherTypes.Tcp => view.Is6 ? VirtioHeader.Tcp6 : VirtioHeader.Tcp4,
            EtherTypes.Udp => VirtioHeader.Udp,
            _ => 0,
        };

    /// <summary>Where TCP, or UDP, has its checksum.</summary>
    public static ushort SumOffsetOf(byte protocol) => (ushort)(protocol == EtherTypes.Udp ? SumOfUdp : SumOfTcp);

    /// <summary>Bytes of headers of a packet of TCP or UDP; 0: it is none, or none that can be.</summary>
    public static int HeadersOf(in InternetView view)
    {
        if (view.Protocol == EtherTypes.Udp)
        {
            return view.IsFragment || view.Payload.Length < UdpLength ? 0 : view.HeaderLength + UdpLength;
        }

        if (view.Protocol != EtherTypes.Tcp || view.IsFragment || view.Payload.Length < LeastTcp)
        {
            return 0;
        }

        int length = (view.Payload[12] >> 4) * 4;
        return length >= LeastTcp && length <= view.Payload.Length ? view.HeaderLength + length : 0;
    }

    /// <summary>Reads one. False: it is none, or its segments do not fit into a packet.</summary>
    /// <param name="view">The packet.</param>
    /// <param name="segment">Bytes of data of a segment.</param>
    /// <param name="mtu">Bytes of the longest packet.</param>
    /// <param name="segments">The packet, to be cut.</param>
    public static bool TryRead(in InternetView view, int segment, int mtu, out PacketSegments segments)
    {
        segments = default;
        int headers = HeadersOf(view),
            perPacket = segment > 0 ? (mtu - headers) / segment * segment : 0;
        if (headers == 0 || perPacket <= 0 || view.Bytes.Length <= headers)
        {
            return false;
        }

        segments = new PacketSegments(view, headers, segment, perPacket);
        return true;
    }

    /// <summary>Reads one, to be cut into its single segments. False: it is none, or they are too long.</summary>
    /// <param name="view">The packet.</param>
    /// <param name="segment">Bytes of data of a segment.</param>
    /// <param name="mtu">Bytes of the longest packet.</param>
    /// <param name="segments">The packet, to be cut.</param>
    public static bool TryReadSingly(in InternetView view, int segment, int mtu, out PacketSegments segments)
    {
        bool isRead = TryRead(view, segment, mtu, out segments);
        segments = isRead ? new PacketSegments(view, segments.HeaderLength, segment, segment) : segments;
        return isRead;
    }

    /// <summary>Bytes of a packet.</summary>
    public int LengthOf(int number) => HeaderLength + Math.Min(Data, _bytes.Length - HeaderLength - (number * Data));

    /// <summary>Writes a packet, <see cref="LengthOf"/> bytes. Its checksum of TCP or UDP is unfinished.</summary>
    public void Write(int number, Span<byte> to)
    {
        int at = number * Data;
        _bytes[..HeaderLength].CopyTo(to);
        _bytes.Slice(HeaderLength + at, to.Length - HeaderLength).CopyTo(to[HeaderLength..]);
        if (ProtocolOf(to, _is6) == EtherTypes.Tcp)
        {
            Span<byte> tcp = to[_internetHeader..];
            uint sequence = BinaryPrimitives.ReadUInt32BigEndian(tcp[4..]);
            BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], sequence + (uint)at);
            tcp[13] &= (byte)(number == Count - 1 ? 255 : ~(Fin | Push));
            tcp[13] &= (byte)(number == 0 ? 255 : ~Reduced);
        }

        if (!_is6)
        {
            int name = BinaryPrimitives.ReadUInt16BigEndian(to[4..]) + (at / Segment);
            BinaryPrimitives.WriteUInt16BigEndian(to[4..], (ushort)name);
        }

        SetLength(to, _is6, _internetHeader);
    }

    /// <summary>Writes the length of a packet into its headers, and the sums that depend on it: that of an IPv4 header,
    /// and of TCP or UDP that of the pseudo-header.</summary>
    public static void SetLength(Span<byte> packet, bool is6, int internetHeader)
    {
        if (is6)
        {
            BinaryPrimitives.WriteUInt16BigEndian(packet[4..], (ushort)(packet.Length - internetHeader));
        }
        else
        {
            BinaryPrimitives.WriteUInt16BigEndian(packet[2..], (ushort)packet.Length);
            InternetSum.WriteHeader4(packet[..internetHeader]);
        }

        ReadOnlySpan<byte> addresses = is6 ? packet.Slice(8, 32) : packet.Slice(12, 8);
        byte protocol = ProtocolOf(packet, is6);
        int length = packet.Length - internetHeader;
        if (protocol == EtherTypes.Udp)
        {
            BinaryPrimitives.WriteUInt16BigEndian(packet[(internetHeader + 4)..], (ushort)length);
        }

        ulong sum = InternetSum.Pseudo(addresses, protocol, length);
        int at = internetHeader + SumOffsetOf(protocol);
        BinaryPrimitives.WriteUInt16BigEndian(packet[at..], InternetSum.Fold(sum));
    }

    /// <summary>Whether two packets of the same kind and headers are of one flow: segments of TCP have numbers, those
    /// of UDP have nothing else that says so.</summary>
    public static bool IsSameFlow(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other, bool is6, int internetHeader)
    {
        int from = is6 ? 8 : 12,
            length = is6 ? 32 : 8;
        return ProtocolOf(one, is6) == ProtocolOf(other, is6)
            && one.Slice(from, length).SequenceEqual(other.Slice(from, length))
            && one.Slice(internetHeader, 4).SequenceEqual(other.Slice(internetHeader, 4));
    }

    private static byte ProtocolOf(ReadOnlySpan<byte> packet, bool is6) => is6 ? packet[6] : packet[9];

    /// <summary>Whether TCP says that it has slowed down, which belongs to the first segment alone.</summary>
    public static bool HasReduced(ReadOnlySpan<byte> tcp) => (tcp[13] & Reduced) != 0;

    /// <summary>Takes the flags that belong to the last segment over into the first one's header.</summary>
    public static void TakeLastFlags(Span<byte> first, ReadOnlySpan<byte> last) =>
        first[13] |= (byte)(last[13] & (Fin | Push));
}
