using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;
using CamCube.Topology;

namespace CamCube.Services.Tunnel;

/// <summary>
/// Broadcasts and multicasts of the tunnel: each goes to every server over one of the trees that share no link (NSDI
/// §4.1), from the root, which is its sender, outwards. Extended routing lets stand-ins play the vertices of dead
/// servers, so that those behind them are reached. A vertex has one parent, and the next ones are farther from the
/// root, so there are no loops. docs/tunnel.md says what is guaranteed. Loop only; allocates nothing per packet.
/// </summary>
[CamCubeService(0x01B1, "tunnel-flood", Header = typeof(FloodHeader))]
public sealed class TunnelFloodService : ExtendedService
{
    private readonly Dependency<TunnelService> _tunnel;
    private readonly FloodCounters _counters;
    private readonly DisjointTrees _trees;
    private readonly FloodWindow?[] _windows;
    private readonly int _perSecond;
    private readonly ushort _run;
    private PerSecond _allowed;
    private PerSecond _allowedToBridge;
    private ushort _next;

    /// <summary>The service of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    /// <param name="tunnel">Gives frames to the machine.</param>
    public TunnelFloodService(IServer server, TunnelFloodOptions options, Dependency<TunnelService> tunnel)
        : base(server)
    {
        ArgumentNullException.ThrowIfNull(options);
        _tunnel = tunnel;
        _counters = new FloodCounters(server.Counters);
        _run = TunnelRun.Begin(server, _counters.Starts);
        _trees = DisjointTrees.For(server.Shape);
        _windows = new FloodWindow?[server.Shape.Count];
        _perSecond = options.PerSecond;
        _allowed = new PerSecond(options.PerSecond);
        _allowedToBridge = new PerSecond((options.PerSecond + 1) / 2);
    }

    /// <summary>What is counted.</summary>
    internal FloodCounters Counters => _counters;

    /// <summary>A mistake that it makes, for tests: what came before comes again.</summary>
    internal bool TakesRepeats { get; set; }

    /// <summary>Sends a packet of the machine to all other servers: one for all or many, from its own address, whole,
    /// and no longer than one packet.</summary>
    internal void Send(ReadOnlySpan<byte> bytes)
    {
        if (_trees.Trees.IsEmpty)
        {
            return;
        }

        if (!_allowed.TryTake(Server.NowNanos))
        {
            _counters.Limited.Add();
            return;
        }

        if (!Server.Packets.TryRent(bytes.Length, out Packet? packet))
        {
            _counters.Full.Add();
            return;
        }

        bytes.CopyTo(packet.WritableBody());
        ref FloodHeader header = ref packet.Header<FloodHeader>();
        (header.Sequence, header.Run) = (_next++, _run);
        header.Sum = SumOf(header, Server.Coordinate, bytes);
        Counter counter =
            Spread(packet, default(Key).WithCoordinate(Server.Coordinate)) == SendResult.Accepted
                ? _counters.Sent
                : _counters.Full;
        counter.Add();
    }

    /// <summary>Sends a whole frame of a machine behind the bridge to all other servers, virtio header first: one for
    /// all or many, no longer than one packet. Together they have half of what may be sent, so that the server's own
    /// machine has the other.</summary>
    internal void SendOfBridge(ReadOnlySpan<byte> frame)
    {
        if (_allowedToBridge.TryTake(Server.NowNanos))
        {
            Send(frame);
        }
        else
        {
            _counters.Limited.Add();
        }
    }

    /// <inheritdoc/>
    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        // Of this kind and empty it ends here.
        keys.Kind = KeySetKind.AllOf;
        ref FloodHeader header = ref packet.Header<FloodHeader>();
        Coordinate root = packet.Source;
        if (!at.IsOrigin && !IsRight(header, packet))
        {
            return;
        }

        if (!at.IsOrigin && !at.IsStandIn)
        {
            if (!IsNew(header, root))
            {
                return;
            }

            keys.Add(at.Key);
        }

        at.AddNeighbours(_trees.ChildLinks(TreeOf(header.Sequence), root, at.Vertex), ref keys);
    }

    /// <inheritdoc/>
    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        if (packet.Source != Server.Coordinate && _tunnel.IsAvailable)
        {
            bool isGood = _tunnel.Value.TryDeliver(packet.Source, packet.Body);
            (isGood ? _counters.Delivered : _counters.Refused).Add();
        }

        return Verdict.Consume;
    }

    private bool IsRight(in FloodHeader header, Packet packet)
    {
        if (!Server.Shape.Contains(packet.Source) || packet.HeaderLength != FloodHeader.Length)
        {
            _counters.Refused.Add();
            return false;
        }

        if (SumOf(header, packet.Source, packet.Body) != header.Sum)
        {
            _counters.Damaged.Add();
            return false;
        }

        return true;
    }

    private bool IsNew(in FloodHeader header, Coordinate root)
    {
        FloodWindow window = _windows[Server.Shape.RankOf(root)] ??= new FloodWindow(header.Run, _perSecond);
        FloodArrival arrival = window.Take(header.Run, header.Sequence, Server.NowNanos);
        switch (arrival)
        {
            case FloodArrival.Repeated:
                _counters.Repeated.Add();
                return TakesRepeats;
            case FloodArrival.Stale:
                _counters.Stale.Add();
                return false;
            case FloodArrival.TooMany:
                _counters.Limited.Add();
                return false;
            default:
                return true;
        }
    }

    // One after the other.
    private Link TreeOf(ushort sequence)
    {
        int left = sequence % _trees.Trees.Count;
        foreach (Link tree in _trees.Trees)
        {
            if (left-- == 0)
            {
                return tree;
            }
        }

        return Link.Local;
    }

    /// <summary>The checksum that belongs into a header.</summary>
    internal static uint SumOf(in FloodHeader header, Coordinate from, ReadOnlySpan<byte> body) =>
        TunnelSum.Of(from.Packed | header.Run, header.Sequence, body);
}
