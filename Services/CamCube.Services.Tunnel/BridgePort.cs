using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Sending;

namespace CamCube.Services.Tunnel;

/// <summary>
/// The bridge between the cube and the network that the machine of one server has its card in a bridge with. Frames of
/// machines there come in at that server only, and go to the machine of one other server, or to those of all; frames
/// for them leave at that server only. What came in by the bridge never leaves by it again, and there are no loops.
/// Loop only; allocates nothing per frame.
/// </summary>
internal sealed class BridgePort
{
    private const ushort DhcpServers = 67;
    private readonly IServer _server;
    private readonly TunnelAddresses _addresses;
    private readonly FrameCutter _cutter;
    private readonly FrameOutlet _outlet;
    private readonly GatewayChoice _gateways;
    private readonly NeighbourAnswers _neighbours;
    private readonly TunnelCounters _counters;
    private readonly Coordinate? _bridge;
    private readonly BridgedMachines? _machines;
    private readonly BridgeFloods _floods;
    private readonly ulong _ethernet;

    /// <summary>The end of the bridge at a server: its port, or the way to it.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings.</param>
    /// <param name="addresses">The addresses of the cube.</param>
    /// <param name="cutter">Queues frames for a server.</param>
    /// <param name="outlet">Gives frames to the machine.</param>
    /// <param name="gateways">Who sends from addresses that are not of the cube.</param>
    /// <param name="flood">Sends to all.</param>
    /// <param name="counters">Is told of each frame.</param>
    public BridgePort(
        IServer server,
        TunnelOptions options,
        TunnelAddresses addresses,
        FrameCutter cutter,
        FrameOutlet outlet,
        GatewayChoice gateways,
        Dependency<TunnelFloodService> flood,
        TunnelCounters counters
    )
    {
        (_server, _addresses, _cutter, _outlet) = (server, addresses, cutter, outlet);
        (_gateways, _counters) = (gateways, counters);
        _neighbours = new NeighbourAnswers(addresses, server.Coordinate);
        _ethernet = addresses.EthernetOf(server.Coordinate);
        _bridge = Coordinate.TryParse(options.Bridge, out Coordinate bridge) ? bridge : null;
        _floods = new BridgeFloods(server, options, _bridge, addresses, cutter, outlet, flood, counters);
        if (IsOne)
        {
            _machines = new BridgedMachines(options.BridgedMachines, options.BridgedTime, server.Incarnation);
        }
    }

    /// <summary>The server of the bridge if it is not in the cube; null: it is, or there is no bridge.</summary>
    public Coordinate? Stranger => _bridge is { } at && !_server.Shape.Contains(at) ? at : null;

    /// <summary>Whether it is here.</summary>
    public bool IsOne => _bridge == _server.Coordinate;

    /// <summary>Whether another server has it.</summary>
    public bool IsAnother => _bridge is { } at && at != _server.Coordinate && _server.Shape.Contains(at);

    /// <summary>Whether another server has it, and can be reached.</summary>
    public bool IsReachable => IsAnother && _server.Topology.IsReachable(_bridge!.Value);

    /// <summary>Why this machine's card must not be where it is; null: it may.</summary>
    public string? Unwell =>
        _floods.IsSecond
            ? $"frames of other machines come out of its network card, which is in a bridge then, but the bridge is at "
                + $"{_bridge} (Services:tunnel:Bridge): it is given nothing that is for all."
            : null;

    /// <summary>Machines behind it that are known here.</summary>
    public int Machines => _machines?.Count(_server.NowNanos) ?? 0;

    /// <summary>A mistake that it makes, for tests: what stays there goes back.</summary>
    public bool SendsBack { get; set; }

    /// <summary>A frame of the machine that is not from its own address: of one behind the bridge, if it is here.
    /// </summary>
    /// <param name="bytes">The frame, virtio header first. It may be written over.</param>
    public void TakeIn(Span<byte> bytes)
    {
        _floods.Heard(bytes);
        if (!IsOne)
        {
            _counters.Spoofed.Add();
        }
        else if (!CardFrame.TryRead(bytes, out CardFrame frame))
        {
            _counters.Malformed.Add();
        }
        else if (!IsOfStranger(frame))
        {
            // Of one of the cube it came round, or somebody made it up.
            _counters.Spoofed.Add();
        }
        else if (!_machines!.Hear(frame.From, _server.NowNanos))
        {
            _counters.Crowded.Add();
        }
        else if (frame.IsQuestion && TryAnswer(frame))
        {
            _counters.Answered.Add();
        }
        else if (GroupAddress.IsGroup(frame.To))
        {
            _floods.Take(frame, bytes);
        }
        else if (!_addresses.TryFindEthernet(frame.To, out Coordinate to) || to == _server.Coordinate)
        {
            // Between two machines there, or for what each server has by itself.
            _counters.Foreign.Add();
            if (SendsBack)
            {
                _outlet.Write(bytes);
            }
        }
        else if (!_server.Topology.IsReachable(to))
        {
            _counters.Unreachable.Add();
        }
        else
        {
            _counters.BridgedIn.Add();
            _cutter.QueueWhole(to, bytes, frame.FlowHash);
        }
    }

    /// <summary>A frame of this machine for one that is not in the cube, or a question for its address. False: there is
    /// no bridge elsewhere that can be reached, or the frame is none for it.</summary>
    /// <param name="bytes">The frame, virtio header first.</param>
    public bool TrySend(ReadOnlySpan<byte> bytes)
    {
        if (!IsReachable || !CardFrame.TryRead(bytes, out CardFrame frame) || !IsOfServer(frame, _server.Coordinate))
        {
            return false;
        }

        _cutter.QueueWhole(_bridge!.Value, bytes, frame.FlowHash);
        return true;
    }

    /// <summary>Whether a whole frame may come from a server.</summary>
    /// <param name="source">The server.</param>
    /// <param name="bytes">The frame, virtio header first.</param>
    public bool IsRight(Coordinate source, ReadOnlySpan<byte> bytes) =>
        CardFrame.TryRead(bytes, out CardFrame frame)
        && (IsOne ? IsOfServer(frame, source) : source == _bridge && frame.To == _ethernet && IsOfStranger(frame));

    /// <summary>Gives the machine a whole frame that was found right: for itself, or, at the bridge, for one behind it
    /// that is known.</summary>
    /// <param name="bytes">The frame, virtio header first.</param>
    public void Deliver(ReadOnlySpan<byte> bytes)
    {
        ulong to = TunnelAddresses.ReadEthernet(bytes[VirtioHeader.Length..]);
        if (IsOne && TunnelAddresses.IsStrangeEthernet(to) && !_machines!.TryAnswer(to, _server.NowNanos))
        {
            _counters.Unknown.Add();
            return;
        }

        if (IsOne)
        {
            _counters.BridgedOut.Add();
        }

        _outlet.Flush();
        _outlet.Write(bytes);
    }

    /// <summary>Gives the machine a whole frame of another server that is for all, or many. False: it is none, or not
    /// from there.</summary>
    /// <param name="source">The server.</param>
    /// <param name="bytes">The frame, virtio header first.</param>
    public bool TryDeliverToMany(Coordinate source, ReadOnlySpan<byte> bytes)
    {
        bool isRight = _floods.IsRight(source, bytes, out CardFrame frame) && IsOfStranger(frame);
        if (isRight)
        {
            _floods.Deliver(source, bytes);
        }

        return isRight;
    }

    /// <summary>Whether the machine may be given what is for all, or many, of a server's machine. If not it is counted.
    /// </summary>
    public bool MayGive(Coordinate source) => _floods.MayGive(source);

    // To a machine that is not in the cube, or a question for all, from an own address.
    private bool IsOfServer(in CardFrame frame, Coordinate server)
    {
        bool isOwn =
            frame.EtherType == EtherTypes.Arp
                ? _addresses.Internet4Of(server) == frame.ArpSource
                : _gateways.MaySend(server, frame.View, _addresses);
        return isOwn
            && frame.From == _addresses.EthernetOf(server)
            && (TunnelAddresses.IsStrangeEthernet(frame.To) || (frame.IsQuestion && IsForAll(frame)));
    }

    private bool IsOfStranger(in CardFrame frame) =>
        TunnelAddresses.IsStrangeEthernet(frame.From)
        && (
            frame.EtherType == EtherTypes.Arp ? IsAskerOrStrange(frame.ArpSource)
            : frame.View.Is6 ? IsAskerOrStrange6(frame) && SaysNothingOfOthers(frame.View)
            : _addresses.IsStrange4(BinaryPrimitives.ReadUInt32BigEndian(frame.View.Source)) || IsForAddress(frame.View)
        );

    // DHCP: who has no address yet asks all for one.
    private static bool IsForAddress(in InternetView view) =>
        view.HasPorts
        && view.Protocol == EtherTypes.Udp
        && BinaryPrimitives.ReadUInt16BigEndian(view.Payload[2..]) == DhcpServers
        && BinaryPrimitives.ReadUInt32BigEndian(view.Source) == 0
        && BinaryPrimitives.ReadUInt32BigEndian(view.Destination) == uint.MaxValue;

    // Who looks whether an address is free asks from none.
    private bool IsAskerOrStrange(uint address) => address == 0 || _addresses.IsStrange4(address);

    private bool IsAskerOrStrange6(in CardFrame frame) =>
        _addresses.IsStrange6(frame.View.Source) || (frame.IsQuestion && !frame.View.Source.ContainsAnyExcept((byte)0));

    // Of neighbour discovery only what a machine says of itself comes in: it is no router, and has no server's address.
    // Behind an extension, where it would not be seen, nothing of it may be.
    private bool SaysNothingOfOthers(in InternetView view)
    {
        const byte AnyHops = 255;
        if (view.Protocol != EtherTypes.Icmp6)
        {
            return view.Protocol is EtherTypes.Tcp or EtherTypes.Udp || view.Bytes[7] != AnyHops;
        }

        byte kind = view.Payload.IsEmpty ? (byte)0 : view.Payload[0];
        return kind is not (NeighbourAnswers.RouterAdvertisement or NeighbourAnswers.Redirect)
            && (
                kind != NeighbourAnswers.Advertisement
                || (view.Payload.Length >= 24 && _addresses.IsStrange6(view.Payload.Slice(8, 16)))
            );
    }

    private static bool IsForAll(in CardFrame frame) =>
        frame.EtherType == EtherTypes.Arp
            ? frame.To == GroupAddress.Broadcast
            : frame.To >> 32 == GroupAddress.Multicast6 >> 32;

    private bool TryAnswer(in CardFrame frame)
    {
        Span<byte> answer = stackalloc byte[VirtioHeader.Length + NeighbourAnswers.MostBytes];
        answer.Clear();
        int length = _neighbours.Answer(frame.From, frame.EtherType, frame.Payload, answer[VirtioHeader.Length..]);
        if (length > 0)
        {
            _outlet.Write(answer[..(VirtioHeader.Length + length)]);
        }

        return length > 0;
    }
}
