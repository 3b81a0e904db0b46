using System.Buffers.Binary;
using System.Net;
using System.Runtime.InteropServices;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Cards;
using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Flooding;
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
public sealed class TunnelService : CamCubeService, IServiceHealth, IServiceCommands, ILaneEnd, IFrameEnd
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
    private readonly PathChoice _choice;
    private readonly Sender _sender;
    private readonly Relay _relay;
    private readonly LinkTurns _turns;
    private readonly Receiver _receiver;
    private readonly FrameCutter _cutter;
    private readonly GatewayChoice _gateways;
    private readonly FrameJoiner _joiner;
    private readonly byte[] _in = new byte[LongestFrame];
    private readonly FrameOutlet _outlet;
    private readonly FrameInlet _inlet;
    private readonly BridgePort _bridge;
    private readonly TunnelCommands _commands;
    private readonly IPNetwork _network4;
    private ICard? _card;
    private volatile string? _unwell = "its network card is not there yet";

    /// <summary>The tunnel of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    /// <param name="flood">Sends to all servers; may be missing.</param>
    /// <param name="logger">Is told of the card.</param>
    public TunnelService(
        IServer server,
        TunnelOptions options,
        [OptionalService] Dependency<TunnelFloodService> flood,
        ILogger<TunnelService> logger
    )
        : this(server, options, flood, OperatingSystem.IsLinux() ? new LinuxCardMaker() : null, logger) { }

    internal TunnelService(
        IServer server,
        TunnelOptions options,
        Dependency<TunnelFloodService> flood,
        ICardMaker? maker,
        ILogger logger
    )
    {
        (_server, _options, _maker, _logger) = (server, options, maker, logger);
        _network4 = IPNetwork.Parse(options.Network4);
        _gateways = new GatewayChoice(server, options);
        _addresses = new TunnelAddresses(server.Shape, _network4, IPNetwork.Parse(options.Network6))
        {
            HasGateway = _gateways.IsAnother,
        };
        _counters = new TunnelCounters(server.Counters);
        _outlet = new FrameOutlet(server, _addresses, _counters);
        _choice = new PathChoice(server, options.Paths);
        CodelTerms terms = CodelTerms.Of(server, options);
        _sender = new Sender(server, options, terms, _choice, _counters);
        _relay = new Relay(server, options.QueuePackets, terms, _counters);
        _turns = new LinkTurns(server, _sender, _relay);
        _cutter = new FrameCutter(server, options.Mtu, _sender, _counters);
        _bridge = new BridgePort(server, options, _addresses, _cutter, _outlet, _gateways, flood, _counters);
        _inlet = new FrameInlet(server, options, _addresses, _cutter, _gateways, _outlet, _bridge, flood, _counters);
        _receiver = new Receiver(server, options, this, _counters);
        _joiner = new FrameJoiner(server, options, this, _counters);
        _commands = new TunnelCommands(server, this, options);
    }

    /// <inheritdoc/>
    public string? Unwell => _unwell;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands => _commands.Commands;

    /// <summary>What is counted.</summary>
    internal TunnelCounters Counters => _counters;

    /// <summary>Packets that wait: to leave, also those that pass through, and for earlier ones; and frames that wait
    /// for pieces.</summary>
    internal (int Leaving, int Coming) Waiting =>
        (_sender.Waiting + _relay.Waiting, _receiver.Waiting + _joiner.Waiting);

    /// <summary>A mistake that it makes, for tests: whatever comes is handed on, however often.</summary>
    internal bool HandsOnAtOnce
    {
        set => _receiver.HandsOnAtOnce = value;
    }

    /// <summary>A mistake that it makes, for tests: what is between two machines behind the bridge goes back there.
    /// </summary>
    internal bool SendsBack
    {
        set => _bridge.SendsBack = value;
    }

    /// <summary>A mistake that it makes, for tests: the gateway that was nearest once stays it.</summary>
    internal bool StaysWithGateway
    {
        set => _gateways.StaysWithIt = value;
    }

    /// <summary>The addresses.</summary>
    internal TunnelAddresses Addresses => _addresses;

    /// <summary>Work that the machine leaves to the tunnel; null: there is no card.</summary>
    internal string? Offloads => _card?.Offloads;

    /// <summary>Machines behind the bridge, if it is here, that are known.</summary>
    internal int BridgedMachines => _bridge.Machines;

    /// <summary>Bytes of the longest IP packet.</summary>
    internal int Mtu => _cutter.Mtu;

    /// <summary>Bytes of an IP packet that fit into one packet of the cube.</summary>
    internal int Room => _cutter.Room;

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
    public override void OnTopologyChanged(in TopologyChange change) => _turns.OnTopologyChanged();

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
                return _turns.PassOn(packet, next.First);
            }

            // From here on by base routing, to the end: two ways of routing could send it back and forth.
            header.Flags |= TunnelFlags.OffPath;
        }

        return Verdict.Forward;
    }

    /// <summary>Gives the machine a packet of another server that is for all, or many; of the bridge a whole frame.
    /// False: it is none, or not from that server's address.</summary>
    internal bool TryDeliver(Coordinate source, ReadOnlySpan<byte> packet)
    {
        if (BridgeFloods.IsWhole(packet))
        {
            return _bridge.TryDeliverToMany(source, packet);
        }

        ushort etherType = packet.Length > 0 && packet[0] >> 4 == 6 ? EtherTypes.Internet6 : EtherTypes.Internet4;
        if (
            !InternetView.TryRead(etherType, packet, out InternetView view)
            || view.Bytes.Length != packet.Length
            || !view.IsFrom(source, _addresses)
            || GroupAddress.Of(view, _addresses) is not (> 0 and var to)
        )
        {
            return false;
        }

        if (_bridge.MayGive(source))
        {
            _outlet.DeliverToMany(source, to, view);
        }

        return true;
    }

    void ILaneEnd.Deliver(Packet packet)
    {
        if (_joiner.TryTake(packet))
        {
            return;
        }

        if (packet.Header<TunnelHeader>().EtherType == EtherTypes.Whole)
        {
            _bridge.Deliver(packet.Body);
        }
        else
        {
            _outlet.Deliver(packet);
        }
    }

    void IFrameEnd.Deliver(JoinedFrame frame)
    {
        bool isRight = IsRight(frame.Header, frame.Source, frame.Bytes);
        (isRight ? _counters.Joined : _counters.Refused).Add();
        if (isRight && frame.Header.EtherType == EtherTypes.Whole)
        {
            _bridge.Deliver(frame.Bytes);
        }
        else if (isRight)
        {
            _outlet.Deliver(frame);
        }
    }

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

            if (_card is not null)
            {
                TellOfSecondBridge();
            }
        } while (await _server.DelayAsync(_options.RetryTime));
    }

    private void TellOfSecondBridge()
    {
        string? why = _bridge.Unwell;
        if (why is not null && _unwell is null)
        {
            TunnelLog.SecondBridge(_logger, _server.Coordinate, why);
        }

        _unwell = why;
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

        if (_gateways.Stranger is { } stranger)
        {
            return $"{stranger} is no server of {_server.Shape} (Services:tunnel:Gateways).";
        }

        if (_bridge.Stranger is { } none)
        {
            return $"{none} is no server of {_server.Shape} (Services:tunnel:Bridge).";
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
            Gateway4 = _addresses.AddressOfGateway4(),
            Gateway6 = _addresses.AddressOfGateway6(),
            IsGateway = _gateways.IsOne,
            IsBridged = _bridge.IsOne,
            HasDefaultRoute = _options.DefaultRoute && _gateways.IsAnother,
            Mtu = _cutter.Mtu,
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
            _inlet.Take(_in.AsSpan(0, length));
        }

        return true;
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

        if (header.IsPiece ? !IsRightPiece(header, packet) : !IsRight(header, packet.Source, packet.Body))
        {
            _counters.Refused.Add();
            return Verdict.Drop(DropReason.Malformed);
        }

        return _receiver.Take(packet);
    }

    // The rest is looked at when the frame is whole.
    private static bool IsRightPiece(in TunnelHeader header, Packet packet)
    {
        bool isFirst = (header.Flags & TunnelFlags.First) != 0,
            isPartial = (header.Flags & TunnelFlags.PartialSum) != 0;
        return packet.BodyLength > 0
            && header.SegmentKind == 0
            && header.HeaderBytes == 0
            && (isFirst || (!isPartial && header.SumStart == 0 && header.SumOffset == 0));
    }

    private bool IsRight(in TunnelHeader header, Coordinate source, ReadOnlySpan<byte> body) =>
        header.EtherType == EtherTypes.Whole
            ? HasNoOffloads(header) && _bridge.IsRight(source, body)
            : InternetView.TryRead(header.EtherType, body, out InternetView view)
                && view.Bytes.Length == body.Length
                && _gateways.MaySend(source, view, _addresses)
                && HasRightOffloads(header, view);

    // A whole frame says by itself what is left undone.
    private static bool HasNoOffloads(in TunnelHeader header) =>
        (header.Flags & TunnelFlags.PartialSum) == 0
        && (header.SegmentKind, header.HeaderBytes, header.SegmentBytes) == (0, 0, 0)
        && (header.SumStart, header.SumOffset) == (0, 0);

    private static bool HasRightOffloads(in TunnelHeader header, in InternetView view)
    {
        bool isPartial = (header.Flags & TunnelFlags.PartialSum) != 0;
        if (header.SegmentKind == 0)
        {
            return header.SegmentBytes == 0 && (!isPartial || view.HasSum(header.SumStart, header.SumOffset));
        }

        return isPartial
            && header.SegmentKind == PacketSegments.KindOf(view)
            && header.SegmentBytes > 0
            && header.HeaderBytes == PacketSegments.HeadersOf(view)
            && (header.SumStart, header.SumOffset) == (view.HeaderLength, PacketSegments.SumOffsetOf(view.Protocol));
    }
}
