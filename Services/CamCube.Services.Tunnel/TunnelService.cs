using System.Buffers.Binary;
using System.Net;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Cards;
using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Receiving;
using CamCube.Services.Tunnel.Sending;
using CamCube.Services.Tunnel.Wire;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Tunnel;

/// <summary>
/// A network card on every server, by which ordinary programs use the cube's links without knowing of them (SIGCOMM
/// §3.1, HPDC §6.3): IP packets from the machine travel over link-disjoint paths and come out in order.
/// docs/tunnel.md says what is guaranteed. Loop only.
/// </summary>
[CamCubeService(0x01B0, "tunnel", Header = typeof(TunnelHeader))]
public sealed class TunnelService : CamCubeService, IServiceHealth, IServiceCommands, ILaneEnd
{
    // The longest frame: 64 KiB with its headers.
    private const int LongestFrame = (64 << 10) + 256;

    // More in one turn would overrun the queue of a destination before its links get their turn.
    private const int BytesPerTurn = 256 << 10;
    private static readonly OffloadOptions OpenLimit = new() { Deadline = TimeSpan.FromSeconds(30) };
    private readonly IServer _server;
    private readonly TunnelOptions _options;
    private readonly ILogger _logger;
    private readonly ICardMaker? _maker;
    private readonly TunnelCounters _counters;
    private readonly TunnelAddresses _addresses;
    private readonly NeighbourAnswers _neighbours;
    private readonly UnreachableNotes _notes;
    private readonly PathChoice _choice;
    private readonly Sender _sender;
    private readonly Receiver _receiver;
    private readonly byte[] _in = new byte[LongestFrame];
    private readonly FrameOutlet _outlet;
    private readonly TunnelCommands _commands;
    private readonly ulong _ethernet;
    private readonly IPNetwork _network4;
    private readonly int _mtu;
    private ICard? _card;
    private long _toldIn = -1;
    private int _told;
    private volatile string? _unwell = "its network card is not there yet";

    /// <summary>The tunnel of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    /// <param name="logger">Is told of the card.</param>
    public TunnelService(IServer server, TunnelOptions options, ILogger<TunnelService> logger)
        : this(server, options, OperatingSystem.IsLinux() ? new LinuxCardMaker() : null, logger) { }

    internal TunnelService(IServer server, TunnelOptions options, ICardMaker? maker, ILogger logger)
    {
        (_server, _options, _maker, _logger) = (server, options, maker, logger);
        _network4 = IPNetwork.Parse(options.Network4);
        _addresses = new TunnelAddresses(server.Shape, _network4, IPNetwork.Parse(options.Network6));
        _ethernet = _addresses.EthernetOf(server.Coordinate);
        _mtu = server.Packets.MaxPayload - TunnelHeader.Length;
        _counters = new TunnelCounters(server.Counters);
        _outlet = new FrameOutlet(server, _addresses, _counters);
        _neighbours = new NeighbourAnswers(_addresses, server.Coordinate);
        _notes = new UnreachableNotes(_addresses, server.Coordinate);
        _choice = new PathChoice(server, options.Paths);
        _sender = new Sender(server, options, _choice, _counters);
        _receiver = new Receiver(server, options, this, _counters);
        _commands = new TunnelCommands(server, this, options);
    }

    /// <inheritdoc/>
    public string? Unwell => _unwell;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands => _commands.Commands;

    /// <summary>What is counted.</summary>
    internal TunnelCounters Counters => _counters;

    /// <summary>Packets that wait: to leave, and for earlier ones.</summary>
    internal (int Leaving, int Coming) Waiting => (_sender.Waiting, _receiver.Waiting);

    /// <summary>A mistake that it makes, for tests: whatever comes is handed on, however often.</summary>
    internal bool HandsOnAtOnce
    {
        set => _receiver.HandsOnAtOnce = value;
    }

    /// <summary>The addresses.</summary>
    internal TunnelAddresses Addresses => _addresses;

    /// <summary>Bytes of the longest packet.</summary>
    internal int Mtu => _mtu;

    /// <inheritdoc/>
    public override void OnStart()
    {
        _receiver.Start();
        _server.Loop.Run(KeepCardAsync);
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        _card?.Dispose();
        _card = _outlet.Card = null;
    }

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => _sender.OnTopologyChanged();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        if (header.Path == TunnelHeader.NoPath && hop.ArrivedOn != Link.Local)
        {
            header.Path = (byte)hop.ArrivedOn.Opposite();
        }

        if (hop.IsDestination)
        {
            return Receive(packet);
        }

        if (packet.Destination.IsKey || header.Path >= Links.Count)
        {
            return Verdict.Drop(DropReason.Malformed);
        }

        if ((header.Flags & TunnelFlags.OffPath) == 0)
        {
            LinkSet next = _choice.Next(
                _server.Coordinate,
                packet.Destination.Server,
                hop.ArrivedOn,
                (Link)header.Path,
                (header.Flags & TunnelFlags.WayRound) != 0,
                _server.Topology.LinksUp
            );
            if (!next.IsEmpty)
            {
                MarkIfLong(ref header, next.First);
                return Verdict.Via(next);
            }

            // From here on by base routing, to the end: two ways of routing could send it back and forth.
            header.Flags |= TunnelFlags.OffPath;
        }

        return Verdict.Forward;
    }

    // Only said here: the packet itself is marked at its destination, after its checksum.
    private void MarkIfLong(ref TunnelHeader header, Link link)
    {
        if ((header.Flags & TunnelFlags.Congested) == 0 && _server.BacklogOf(link).OwnBytes > _options.EcnThreshold)
        {
            header.Flags |= TunnelFlags.Congested;
            _counters.Marked.Add();
        }
    }

    void ILaneEnd.Deliver(Packet packet) => _outlet.Deliver(packet);

    void ILaneEnd.Keep(Packet packet) => _server.Packets.Take(packet);

    void ILaneEnd.Release(Packet packet) => _server.Packets.Release(packet);

    private async ValueTask KeepCardAsync()
    {
        do
        {
            if (_card is { IsGone: true })
            {
                _card.Dispose();
                _card = _outlet.Card = null;
            }

            if (_card is null)
            {
                string? why = await OpenAsync();
                if (why is not null && why != _unwell)
                {
                    TunnelLog.NoCard(_logger, _server.Coordinate, why);
                }

                _unwell = why;
            }
        } while (await _server.DelayAsync(_options.RetryTime));
    }

    private async ValueTask<string?> OpenAsync()
    {
        if (_maker is null)
        {
            return "network cards of its own are there on Linux only; packets of others pass.";
        }

        if (_server.Shape.Count + 4L > 1L << (32 - _network4.PrefixLength))
        {
            return $"{_network4} has not enough addresses for {_server.Shape.Count} servers: choose a larger network "
                + "(Services:tunnel:Network4).";
        }

        OffloadResult<ICard> made = await _server.Work.OffloadAsync(
            static (given, _) => given._maker!.Open(given.Terms()),
            this,
            OpenLimit
        );
        if (!made.IsDone)
        {
            return made.Error?.Message ?? $"making its network card ended as {made.Status}.";
        }

        if (!made.Value!.TryBegin(_server.Loop, ReadSome))
        {
            made.Value.Dispose();
            return "this server's loop cannot wait for a network card.";
        }

        _card = _outlet.Card = made.Value;
        Coordinate own = _server.Coordinate;
        TunnelLog.Open(_logger, own, _options.Interface, _addresses.Address4(own), _addresses.Address6(own));
        return null;
    }

    private CardTerms Terms()
    {
        Coordinate own = _server.Coordinate;
        return new CardTerms
        {
            Interface = _options.Interface,
            Namespace = _options.NamespaceOf(own) ?? "",
            Ethernet = _addresses.EthernetBytes(own),
            Internet4 = (_addresses.Address4(own), _addresses.Bits4),
            Internet6 = (_addresses.Address6(own), 64),
            Mtu = _mtu,
            Network4 = _network4,
            Offloads = _options.Offloads,
        };
    }

    private bool ReadSome()
    {
        int bytes = 0;
        for (int i = 0; i < _options.FramesPerTurn && bytes < BytesPerTurn; i++)
        {
            int length = _card?.Read(_in) ?? 0;
            if (length <= 0)
            {
                return false;
            }

            bytes += length;
            _counters.Read.Add();
            _counters.ReadBytes.Add(Math.Max(0, length - VirtioHeader.Length));
            Send(_in.AsSpan(0, length));
        }

        return true;
    }

    private void Send(Span<byte> bytes)
    {
        if (bytes.Length < VirtioHeader.Length + EtherTypes.HeaderLength)
        {
            _counters.Malformed.Add();
            return;
        }

        VirtioHeader virtio = MemoryMarshal.Read<VirtioHeader>(bytes);
        Span<byte> frame = bytes[VirtioHeader.Length..];
        ushort etherType = BinaryPrimitives.ReadUInt16BigEndian(frame[12..]);
        ReadOnlySpan<byte> payload = frame[EtherTypes.HeaderLength..];
        if (TunnelAddresses.ReadEthernet(frame[6..]) != _ethernet)
        {
            _counters.Spoofed.Add();
        }
        else if (NeighbourAnswers.IsQuestion(etherType, payload))
        {
            Answer(etherType, payload);
        }
        else if (
            !_addresses.TryFindEthernet(TunnelAddresses.ReadEthernet(frame), out Coordinate to)
            || to == _server.Coordinate
        )
        {
            _counters.Foreign.Add();
        }
        else if (!InternetView.TryRead(etherType, payload, out InternetView view))
        {
            _counters.Malformed.Add();
        }
        else if (!IsFrom(view, _server.Coordinate))
        {
            _counters.Spoofed.Add();
        }
        else if (!_server.Topology.IsReachable(to))
        {
            _counters.Unreachable.Add();
            Tell(view);
        }
        else if (virtio.SegmentKind != 0)
        {
            QueueSegments(to, etherType, view, virtio);
        }
        else if (view.Bytes.Length > _mtu)
        {
            _counters.TooLong.Add();
        }
        else
        {
            Queue(to, etherType, view, virtio);
        }
    }

    private void Queue(Coordinate to, ushort etherType, in InternetView view, in VirtioHeader virtio)
    {
        bool isPartial = (virtio.Flags & VirtioHeader.NeedsSum) != 0;
        int start = virtio.SumStart - EtherTypes.HeaderLength;
        if (isPartial && !HasSum(view, start, virtio.SumOffset))
        {
            _counters.Malformed.Add();
            return;
        }

        if (
            !_sender.TryMakeRoom(to, 1, view.Bytes.Length)
            || !_server.Packets.TryRent(view.Bytes.Length, out Packet? packet)
        )
        {
            _counters.Full.Add();
            return;
        }

        view.Bytes.CopyTo(packet.WritableBody());
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        header.EtherType = etherType;
        header.Lane = (byte)(view.FlowHash() % TunnelHeader.Lanes);
        header.Flags = TunnelFlags.First | TunnelFlags.Last;
        if (isPartial)
        {
            header.Flags |= TunnelFlags.PartialSum;
            (header.SumStart, header.SumOffset) = ((ushort)start, virtio.SumOffset);
        }

        _sender.Add(to, packet);
    }

    private void QueueSegments(Coordinate to, ushort etherType, in InternetView view, in VirtioHeader virtio)
    {
        byte kind = view.Is6 ? VirtioHeader.Tcp6 : VirtioHeader.Tcp4;
        if (
            (virtio.SegmentKind & ~VirtioHeader.Ecn) != kind
            || !TcpSegments.TryRead(view, virtio.SegmentBytes, _mtu, out TcpSegments segments)
        )
        {
            _counters.Malformed.Add();
            return;
        }

        if (!_sender.TryMakeRoom(to, segments.Count, view.Bytes.Length))
        {
            _counters.Full.Add();
            return;
        }

        byte lane = (byte)(view.FlowHash() % TunnelHeader.Lanes);
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
            header.Lane = lane;
            header.Flags = TunnelFlags.PartialSum;
            header.Flags |= i == 0 ? TunnelFlags.First : TunnelFlags.None;
            header.Flags |= i == segments.Count - 1 ? TunnelFlags.Last : TunnelFlags.None;
            (header.SumStart, header.SumOffset) = ((ushort)view.HeaderLength, TcpSegments.SumOffset);
            (header.HeaderBytes, header.SegmentBytes) = ((byte)segments.HeaderLength, (ushort)segments.Segment);
            header.SegmentKind = kind;
            _sender.Add(to, packet);
        }
    }

    // At most so many in each second of server time.
    private void Tell(in InternetView view)
    {
        long second = _server.NowNanos / TimeSpan.NanosecondsPerTick / TimeSpan.TicksPerSecond;
        (_toldIn, _told) = second == _toldIn ? (second, _told) : (second, 0);
        Span<byte> note = stackalloc byte[VirtioHeader.Length + UnreachableNotes.MostBytes];
        note[..VirtioHeader.Length].Clear();
        int length = _told < _options.UnreachablePerSecond ? _notes.Write(view, note[VirtioHeader.Length..]) : 0;
        if (length > 0)
        {
            _told++;
            _counters.Told.Add();
            _outlet.Write(note[..(VirtioHeader.Length + length)]);
        }
    }

    private void Answer(ushort etherType, ReadOnlySpan<byte> payload)
    {
        Span<byte> answer = stackalloc byte[VirtioHeader.Length + NeighbourAnswers.MostBytes];
        answer.Clear();
        int length = _neighbours.Answer(etherType, payload, answer[VirtioHeader.Length..]);
        if (length > 0)
        {
            _counters.Answered.Add();
            _outlet.Write(answer[..(VirtioHeader.Length + length)]);
        }
    }

    private Verdict Receive(Packet packet)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        if (
            header.Lane >= TunnelHeader.Lanes
            || !_server.Shape.Contains(packet.Source)
            || packet.Source == _server.Coordinate
            || packet.HeaderLength != TunnelHeader.Length
        )
        {
            _counters.Refused.Add();
            return Verdict.Drop(DropReason.Malformed);
        }

        if (TunnelSum.Of(header, packet.Body) != header.Sum)
        {
            _counters.Damaged.Add();
            return Verdict.Drop(DropReason.Malformed);
        }

        if (
            !InternetView.TryRead(header.EtherType, packet.Body, out InternetView view)
            || view.Bytes.Length != packet.BodyLength
            || !IsFrom(view, packet.Source)
            || !HasRightOffloads(header, view)
        )
        {
            _counters.Refused.Add();
            return Verdict.Drop(DropReason.Malformed);
        }

        return _receiver.Take(packet);
    }

    private static bool HasSum(in InternetView view, int start, int offset) =>
        start >= view.HeaderLength && start + offset + 2 <= view.Bytes.Length;

    private static bool HasRightOffloads(in TunnelHeader header, in InternetView view)
    {
        bool isPartial = (header.Flags & TunnelFlags.PartialSum) != 0;
        if (header.SegmentKind == 0)
        {
            return header.SegmentBytes == 0 && (!isPartial || HasSum(view, header.SumStart, header.SumOffset));
        }

        return isPartial
            && header.SegmentKind == (view.Is6 ? VirtioHeader.Tcp6 : VirtioHeader.Tcp4)
            && header.SegmentBytes > 0
            && header.HeaderBytes == TcpSegments.HeadersOf(view)
            && (header.SumStart, header.SumOffset) == (view.HeaderLength, TcpSegments.SumOffset);
    }

    private bool IsFrom(in InternetView view, Coordinate server) =>
        view.Is6
            ? _addresses.TryFind6(view.Source, out Coordinate from) && from == server
            : BinaryPrimitives.ReadUInt32BigEndian(view.Source) == _addresses.Internet4Of(server);
}
