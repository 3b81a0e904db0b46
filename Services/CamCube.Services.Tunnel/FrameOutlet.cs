using System.Buffers.Binary;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Cards;
using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Receiving;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel;

/// <summary>
/// Gives frames to the machine. Packets that were cut out of one long packet of TCP or UDP, and come one behind the
/// other, are joined again and given with one call. Loop only; allocates nothing per packet.
/// </summary>
internal sealed class FrameOutlet
{
    private const int Head = VirtioHeader.Length + EtherTypes.HeaderLength;
    private const int MostBytes = ushort.MaxValue;
    private readonly TunnelAddresses _addresses;
    private readonly TunnelCounters _counters;
    private readonly ServerTimer _timer;
    private readonly byte[] _frame = new byte[Head + MostBytes];
    private readonly ulong _ethernet;

    // The packet that is being joined: what it began with, its bytes so far, and what comes next.
    private TunnelHeader _first;
    private Coordinate _source;
    private int _length;
    private uint _nextSequence;

    /// <summary>The outlet of a server.</summary>
    public FrameOutlet(IServer server, TunnelAddresses addresses, TunnelCounters counters)
    {
        (_addresses, _counters) = (addresses, counters);
        _ethernet = addresses.EthernetOf(server.Coordinate);
        _timer = server.CreateTimer(Flush);
    }

    private bool IsUdp => _first.SegmentKind == VirtioHeader.Udp;

    /// <summary>Where frames go; null: there is no card.</summary>
    public ICard? Card { get; set; }

    /// <summary>Gives the body of a packet that was found right.</summary>
    public void Deliver(Packet packet)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        if (_length > 0 && TryJoin(header, packet))
        {
            if ((header.Flags & TunnelFlags.Last) != 0)
            {
                Flush();
            }

            return;
        }

        Begin(header, packet.Source, packet.Body);
        if (header.SegmentBytes == 0 || (header.Flags & TunnelFlags.Last) != 0)
        {
            Flush();
            return;
        }

        // The rest is mostly in the same step; who waits longer waits in vain.
        _nextSequence = header.Sequence + 1;
        _timer.Arm(TimeSpan.Zero);
    }

    /// <summary>Gives a frame that came in pieces, and was found right.</summary>
    public void Deliver(JoinedFrame frame)
    {
        Begin(frame.Header, frame.Source, frame.Bytes);
        Flush();
    }

    /// <summary>Gives what was joined so far.</summary>
    public void Flush()
    {
        if (_length == 0)
        {
            return;
        }

        Span<byte> frame = _frame.AsSpan(0, Head + _length),
            body = frame[Head..];
        VirtioHeader virtio = default;
        if ((_first.Flags & TunnelFlags.PartialSum) != 0)
        {
            virtio.Flags = VirtioHeader.NeedsSum;
            virtio.SumStart = (ushort)(_first.SumStart + EtherTypes.HeaderLength);
            virtio.SumOffset = _first.SumOffset;
        }

        if (_first.SegmentBytes > 0 && _length - _first.HeaderBytes > _first.SegmentBytes)
        {
            bool is6 = _first.EtherType == EtherTypes.Internet6,
                hasReduced = !IsUdp && PacketSegments.HasReduced(body[_first.SumStart..]);
            PacketSegments.SetLength(body, is6, _first.SumStart);
            virtio.SegmentKind = _first.SegmentKind;
            virtio.SegmentKind |= hasReduced ? VirtioHeader.Ecn : (byte)0;
            virtio.SegmentBytes = _first.SegmentBytes;
            virtio.HeaderBytes = (ushort)(_first.HeaderBytes + EtherTypes.HeaderLength);
        }

        MemoryMarshal.Write(frame, virtio);
        WriteEthernet(frame, _ethernet, _source, _first.EtherType);
        _length = 0;
        Write(frame);
    }

    /// <summary>Gives a packet of another server that is for all, or many.</summary>
    /// <param name="source">The server.</param>
    /// <param name="to">The Ethernet address.</param>
    /// <param name="packet">The packet, found right.</param>
    public void DeliverToMany(Coordinate source, ulong to, in InternetView packet)
    {
        Flush();
        packet.Bytes.CopyTo(_frame.AsSpan(Head));
        Span<byte> frame = _frame.AsSpan(0, Head + packet.Bytes.Length);
        MemoryMarshal.Write(frame, default(VirtioHeader));
        WriteEthernet(frame, to, source, packet.Is6 ? EtherTypes.Internet6 : EtherTypes.Internet4);
        Write(frame);
    }

    /// <summary>Gives a frame as it is, virtio header first.</summary>
    public void Write(ReadOnlySpan<byte> frame)
    {
        if (Card is null || !Card.Write(frame))
        {
            _counters.NotTaken.Add();
            return;
        }

        _counters.Written.Add();
        _counters.WrittenBytes.Add(frame.Length - VirtioHeader.Length);
    }

    private void Begin(in TunnelHeader header, Coordinate source, ReadOnlySpan<byte> body)
    {
        Flush();
        body.CopyTo(_frame.AsSpan(Head));
        if ((header.Flags & TunnelFlags.Congested) != 0)
        {
            Congestion.TryMark(_frame.AsSpan(Head, body.Length));
        }

        (_first, _source, _length) = (header, source, body.Length);
    }

    private void WriteEthernet(Span<byte> frame, ulong to, Coordinate source, ushort etherType)
    {
        Span<byte> ethernet = frame[VirtioHeader.Length..];
        TunnelAddresses.WriteEthernet(to, ethernet);
        TunnelAddresses.WriteEthernet(_addresses.EthernetOf(source), ethernet[6..]);
        BinaryPrimitives.WriteUInt16BigEndian(ethernet[12..], etherType);
    }

    private bool TryJoin(in TunnelHeader header, Packet packet)
    {
        ReadOnlySpan<byte> more = packet.Body;
        int start = _first.SumStart,
            headers = _first.HeaderBytes;
        Span<byte> body = _frame.AsSpan(Head);
        if (
            header.Sequence != _nextSequence
            || header.Lane != _first.Lane
            || packet.Source != _source
            || header.EtherType != _first.EtherType
            || (header.Flags & TunnelFlags.First) != 0
            || (header.SegmentBytes, header.HeaderBytes, header.SumStart)
                != (_first.SegmentBytes, _first.HeaderBytes, _first.SumStart)
            || (_length - headers) % _first.SegmentBytes != 0
            || MarksOf(header, more) != Congestion.Of(body)
            || _length + more.Length - headers > MostBytes
            || header.SegmentKind != _first.SegmentKind
            || !PacketSegments.IsSameFlow(more, body, _first.EtherType == EtherTypes.Internet6, start)
            || (!IsUdp && !IsNextOfTcp(more[start..], body[start..], _length - headers))
        )
        {
            return false;
        }

        more[headers..].CopyTo(body[_length..]);
        if (!IsUdp)
        {
            PacketSegments.TakeLastFlags(body[start..], more[start..]);
        }

        _length += more.Length - headers;
        _nextSequence++;
        return true;
    }

    private static bool IsNextOfTcp(ReadOnlySpan<byte> tcp, ReadOnlySpan<byte> first, int bytes) =>
        BinaryPrimitives.ReadUInt32BigEndian(tcp[4..])
        == BinaryPrimitives.ReadUInt32BigEndian(first[4..]) + (uint)bytes;

    // As it is delivered: of packets that differ in it only one would be right.
    private static int MarksOf(in TunnelHeader header, ReadOnlySpan<byte> packet)
    {
        int marks = Congestion.Of(packet);
        return marks != 0 && (header.Flags & TunnelFlags.Congested) != 0 ? Congestion.Marked : marks;
    }
}
