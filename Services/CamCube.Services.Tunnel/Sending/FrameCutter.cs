using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// Turns frames of the machine into packets that wait for their turn: one, or several, cut at borders of segments where
/// there are such, and anywhere where one packet is too short. A frame waits whole or not at all. Loop only; allocates
/// nothing per packet.
/// </summary>
internal sealed class FrameCutter
{
    private readonly IServer _server;
    private readonly Sender _sender;
    private readonly TunnelCounters _counters;
    private readonly Packet?[] _cut;
    private readonly byte[] _segment;
    private readonly int _mtu;

    /// <summary>The cutter of a server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="mtu">Bytes of the longest frame; 0: what fits into one packet.</param>
    /// <param name="sender">Has the queues.</param>
    /// <param name="counters">Is told of each frame.</param>
    public FrameCutter(IServer server, int mtu, Sender sender, TunnelCounters counters)
    {
        (_server, _sender, _counters) = (server, sender, counters);
        Room = server.Packets.MaxPayload - TunnelHeader.Length;
        _mtu = mtu == 0 ? Room : mtu;
        _cut = new Packet?[((ushort.MaxValue + EtherTypes.CardLength) / Room) + 1];
        _segment = _mtu > Room ? new byte[_mtu] : [];
    }

    /// <summary>Bytes of a frame that fit into one packet.</summary>
    public int Room { get; }

    /// <summary>Bytes of the longest frame.</summary>
    public int Mtu => _mtu;

    /// <summary>Queues a frame, or counts why not.</summary>
    /// <param name="to">Its destination.</param>
    /// <param name="etherType">What it is.</param>
    /// <param name="view">The frame, without its Ethernet header.</param>
    /// <param name="virtio">What the machine left undone.</param>
    public void Queue(Coordinate to, ushort etherType, in InternetView view, in VirtioHeader virtio)
    {
        if (virtio.SegmentKind != 0)
        {
            QueueSegments(to, etherType, view, virtio);
            return;
        }

        bool isPartial = (virtio.Flags & VirtioHeader.NeedsSum) != 0;
        int start = virtio.SumStart - EtherTypes.HeaderLength;
        if (view.Bytes.Length > _mtu)
        {
            _counters.TooLong.Add();
        }
        else if (isPartial && !view.HasSum(start, virtio.SumOffset))
        {
            _counters.Malformed.Add();
        }
        else
        {
            var header = new TunnelHeader { EtherType = etherType };
            if (isPartial)
            {
                header.Flags = TunnelFlags.PartialSum;
                (header.SumStart, header.SumOffset) = ((ushort)start, virtio.SumOffset);
            }

            QueuePieces(to, header, view.Bytes, view.FlowHash());
        }
    }

    /// <summary>Queues a whole frame, as it is at the card. One that does not fit into a packet is cut anywhere, so
    /// that a lost piece costs all of it.</summary>
    /// <param name="to">Its destination.</param>
    /// <param name="bytes">The frame, virtio header first.</param>
    /// <param name="hash">Of its flow.</param>
    public void QueueWhole(Coordinate to, ReadOnlySpan<byte> bytes, uint hash)
    {
        if (bytes.Length > ushort.MaxValue + EtherTypes.CardLength)
        {
            _counters.TooLong.Add();
            return;
        }

        QueuePieces(to, new TunnelHeader { EtherType = EtherTypes.Whole }, bytes, hash);
    }

    private void QueuePieces(Coordinate to, TunnelHeader header, ReadOnlySpan<byte> frame, uint hash)
    {
        int count = (frame.Length + Room - 1) / Room;
        if (!_sender.TryMakeRoom(to, count, frame.Length) || !TryRent(count, frame.Length))
        {
            _counters.Full.Add();
            return;
        }

        if (count > 1)
        {
            _counters.Cut.Add();
        }

        header.Lane = (byte)(hash % TunnelHeader.Lanes);
        for (int i = 0; i < count; i++)
        {
            Packet packet = _cut[i]!;
            _cut[i] = null;
            frame.Slice(i * Room, packet.BodyLength).CopyTo(packet.WritableBody());
            ref TunnelHeader own = ref packet.Header<TunnelHeader>();
            own = i == 0 ? header : new TunnelHeader { EtherType = header.EtherType, Lane = header.Lane };
            own.Flags |= i == 0 ? TunnelFlags.First : TunnelFlags.None;
            own.Flags |= i == count - 1 ? TunnelFlags.Last : TunnelFlags.None;
            _sender.Add(to, packet, hash);
        }
    }

    // All or none: of a frame without its last piece nothing would come out.
    private bool TryRent(int count, int bytes)
    {
        for (int i = 0; i < count; i++)
        {
            if (_server.Packets.TryRent(Math.Min(Room, bytes - (i * Room)), out Packet? packet))
            {
                _cut[i] = packet;
                continue;
            }

            while (--i >= 0)
            {
                _server.Packets.Release(_cut[i]!);
                _cut[i] = null;
            }

            return false;
        }

        return true;
    }

    private void QueueSegments(Coordinate to, ushort etherType, in InternetView view, in VirtioHeader virtio)
    {
        bool isRight = (virtio.SegmentKind & ~VirtioHeader.Ecn) == PacketSegments.KindOf(view);
        if (isRight && PacketSegments.TryRead(view, virtio.SegmentBytes, Room, out PacketSegments segments))
        {
            QueueInPackets(to, etherType, view, segments);
        }
        else if (isRight && PacketSegments.TryReadSingly(view, virtio.SegmentBytes, _mtu, out segments))
        {
            QueueSingly(to, etherType, view, segments);
        }
        else
        {
            _counters.Malformed.Add();
        }
    }

    private void QueueInPackets(Coordinate to, ushort etherType, in InternetView view, in PacketSegments segments)
    {
        if (!_sender.TryMakeRoom(to, segments.Count, view.Bytes.Length))
        {
            _counters.Full.Add();
            return;
        }

        uint hash = view.FlowHash();
        for (int i = 0; i < segments.Count; i++)
        {
            if (!_server.Packets.TryRent(segments.LengthOf(i), out Packet? packet))
            {
                _counters.Full.Add();
                return;
            }

            segments.Write(i, packet.WritableBody());
            ref TunnelHeader header = ref packet.Header<TunnelHeader>();
            header.EtherType = etherType;
            header.Lane = (byte)(hash % TunnelHeader.Lanes);
            header.Flags = TunnelFlags.PartialSum;
            header.Flags |= i == 0 ? TunnelFlags.First : TunnelFlags.None;
            header.Flags |= i == segments.Count - 1 ? TunnelFlags.Last : TunnelFlags.None;
            (header.SumStart, header.SumOffset) = (
                (ushort)view.HeaderLength,
                PacketSegments.SumOffsetOf(view.Protocol)
            );
            (header.HeaderBytes, header.SegmentBytes) = ((byte)segments.HeaderLength, (ushort)segments.Segment);
            header.SegmentKind = PacketSegments.KindOf(view);
            _sender.Add(to, packet, hash);
        }
    }

    // Segments that are longer than a packet: each is a frame of its own.
    private void QueueSingly(Coordinate to, ushort etherType, in InternetView view, in PacketSegments segments)
    {
        var header = new TunnelHeader
        {
            EtherType = etherType,
            Flags = TunnelFlags.PartialSum,
            SumStart = (ushort)view.HeaderLength,
            SumOffset = PacketSegments.SumOffsetOf(view.Protocol),
        };
        uint hash = view.FlowHash();
        for (int i = 0; i < segments.Count; i++)
        {
            Span<byte> segment = _segment.AsSpan(0, segments.LengthOf(i));
            segments.Write(i, segment);
            QueuePieces(to, header, segment, hash);
        }
    }
}
