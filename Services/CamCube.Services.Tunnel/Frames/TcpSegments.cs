using System.Buffers.Binary;

namespace CamCube.Services.Tunnel.Frames;

/// <summary>
/// A long TCP packet as the system hands it over to be cut (TSO): headers once, and the data of many segments. Read in
/// place; cut into packets of several segments each, of which every one is again such a packet, or a plain one. Nothing
/// but lengths, numbers and flags of the headers changes, as a network card does it.
/// </summary>
internal readonly ref struct TcpSegments
{
    /// <summary>Where TCP has its checksum.</summary>
    public const int SumOffset = 16;

    private const int LeastTcp = 20;
    private const byte Fin = 1,
        Push = 8,
        Reduced = 128;
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly int _internetHeader;
    private readonly bool _is6;

    private TcpSegments(in InternetView view, int headerLength, int segment, int perPacket)
    {
        _bytes = view.Bytes;
        (_internetHeader, _is6, HeaderLength, Segment) = (view.HeaderLength, view.Is6, headerLength, segment);
        Data = perPacket;
        Count = (_bytes.Length - headerLength + perPacket - 1) / perPacket;
    }

    /// <summary>Bytes of the headers of IP and TCP.</summary>
    public int HeaderLength { get; }

    /// <summary>Bytes of data of a segment.</summary>
    public int Segment { get; }

    /// <summary>Bytes of data of a packet, but for the last one: whole segments.</summary>
    public int Data { get; }

    /// <summary>Packets.</summary>
    public int Count { get; }

    /// <summary>Bytes of headers of a TCP packet; 0: it is none, or none that can be.</summary>
    public static int HeadersOf(in InternetView view)
    {
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
    public static bool TryRead(in InternetView view, int segment, int mtu, out TcpSegments segments)
    {
        segments = default;
        int headers = HeadersOf(view),
            perPacket = segment > 0 ? (mtu - headers) / segment * segment : 0;
        if (headers == 0 || perPacket <= 0 || view.Bytes.Length <= headers)
        {
            return false;
        }

        segments = new TcpSegments(view, headers, segment, perPacket);
        return true;
    }

    /// <summary>Reads one, to be cut into its single segments. False: it is none, or they are too long.</summary>
    /// <param name="view">The packet.</param>
    /// <param name="segment">Bytes of data of a segment.</param>
    /// <param name="mtu">Bytes of the longest packet.</param>
    /// <param name="segments">The packet, to be cut.</param>
    public static bool TryReadSingly(in InternetView view, int segment, int mtu, out TcpSegments segments)
    {
        bool isRead = TryRead(view, segment, mtu, out segments);
        segments = isRead ? new TcpSegments(view, segments.HeaderLength, segment, segment) : segments;
        return isRead;
    }

    /// <summary>Bytes of a packet.</summary>
    public int LengthOf(int number) => HeaderLength + Math.Min(Data, _bytes.Length - HeaderLength - (number * Data));

    /// <summary>Writes a packet, <see cref="LengthOf"/> bytes. Its TCP checksum is unfinished.</summary>
    public void Write(int number, Span<byte> to)
    {
        int at = number * Data;
        _bytes[..HeaderLength].CopyTo(to);
        _bytes.Slice(HeaderLength + at, to.Length - HeaderLength).CopyTo(to[HeaderLength..]);
        Span<byte> tcp = to[_internetHeader..];
        uint sequence = BinaryPrimitives.ReadUInt32BigEndian(tcp[4..]);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], sequence + (uint)at);
        tcp[13] &= (byte)(number == Count - 1 ? 255 : ~(Fin | Push));
        tcp[13] &= (byte)(number == 0 ? 255 : ~Reduced);
        if (!_is6)
        {
            int name = BinaryPrimitives.ReadUInt16BigEndian(to[4..]) + (at / Segment);
            BinaryPrimitives.WriteUInt16BigEndian(to[4..], (ushort)name);
        }

        SetLength(to, _is6, _internetHeader);
    }

    /// <summary>Writes the length of a packet into its headers, and the sums that depend on it: that of an IPv4 header,
    /// and of TCP that of the pseudo-header.</summary>
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
        ulong sum = InternetSum.Pseudo(addresses, EtherTypes.Tcp, packet.Length - internetHeader);
        BinaryPrimitives.WriteUInt16BigEndian(packet[(internetHeader + SumOffset)..], InternetSum.Fold(sum));
    }

    /// <summary>Whether TCP says that it has slowed down, which belongs to the first segment alone.</summary>
    public static bool HasReduced(ReadOnlySpan<byte> tcp) => (tcp[13] & Reduced) != 0;

    /// <summary>Takes the flags that belong to the last segment over into the first one's header.</summary>
    public static void TakeLastFlags(Span<byte> first, ReadOnlySpan<byte> last) =>
        first[13] |= (byte)(last[13] & (Fin | Push));
}
