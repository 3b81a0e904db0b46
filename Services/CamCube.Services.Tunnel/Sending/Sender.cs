using CamCube.Services.Tunnel.Counting;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// What waits to leave this server, a queue per destination, which share each link by bytes (deficit round-robin with
/// debts): when a link asks, the next destination of which a path begins on it gives its oldest packet. Loop only;
/// allocates nothing per packet.
/// </summary>
internal sealed class Sender : IPacketSource
{
    // Odd: so all low bits of an incarnation count, and many starts fit between one and the next.
    private const ulong RunStep = 0x9E37;
    private readonly IServer _server;
    private readonly TunnelOptions _options;
    private readonly TunnelCounters _counters;
    private readonly PathChoice _choice;
    private readonly IOutboundTurn _turn;
    private readonly DestinationQueue?[] _queues;
    private readonly List<DestinationQueue> _active = [];
    private readonly ushort _run;
    private int _next;

    /// <summary>The sender of a server.</summary>
    public Sender(IServer server, TunnelOptions options, PathChoice choice, TunnelCounters counters)
    {
        (_server, _options, _choice, _counters) = (server, options, choice, counters);
        _queues = new DestinationQueue?[server.Shape.Count];

        // A tunnel that begins anew within one run of its server begins its numbers anew. Counters outlive it. The next
        // run of a server whose clock is behind is only one more.
        _run = (ushort)((server.Incarnation * RunStep) + (ulong)counters.Starts.Value);
        counters.Starts.Add();
        _turn = server.AddSource(this);
    }

    /// <summary>Packets that wait.</summary>
    public int Waiting { get; private set; }

    /// <summary>The queue of a destination, and whether it has room for so many bytes more.</summary>
    public bool HasRoom(Coordinate to, int packets, int bytes) =>
        Waiting + packets <= _options.QueuePackets && QueueOf(to).Bytes + bytes <= _options.QueueBytes;

    /// <summary>Adds a packet to a server's queue; it is owned from now on.</summary>
    public void Add(Coordinate to, Packet packet)
    {
        DestinationQueue queue = QueueOf(to);
        Refresh(queue);
        packet.Destination = to;
        queue.Add(packet);
        Waiting++;
        if (queue.Count == 1)
        {
            queue.Credit = Math.Min(queue.Credit, 0);
            _active.Add(queue);
        }

        _turn.Ready |= queue.Links;
    }

    /// <inheritdoc/>
    public Packet? OnPoll(Link link)
    {
        // A queue is passed once per round until its debt is paid, and a round pays more than the largest packet costs.
        int quantum = _server.Packets.MaxPayload + Packet.FrameOverhead;
        for (int passed = 0; passed < 2 * _active.Count; passed++)
        {
            _next = _next >= _active.Count ? 0 : _next;
            DestinationQueue queue = _active[_next];
            if (!queue.Links.Contains(link))
            {
                _next++;
                continue;
            }

            if (queue.Credit <= 0)
            {
                queue.Credit += quantum;
                _next++;
                continue;
            }

            Packet packet = queue.Take(link, _server.NowNanos);
            queue.Credit -= packet.WireLength;
            Waiting--;
            _counters.Sent.Add();
            if (queue.Count == 0)
            {
                _active.RemoveAt(_next);
            }

            return packet;
        }

        return null;
    }

    /// <summary>The view has changed: paths are looked for again, and what waits for servers that are lost is dropped.
    /// </summary>
    public void OnTopologyChanged()
    {
        for (int i = _active.Count - 1; i >= 0; i--)
        {
            DestinationQueue queue = _active[i];
            Refresh(queue);
            if (queue.Links.IsEmpty)
            {
                _counters.Unreachable.Add(queue.Count);
                Waiting -= queue.Count;
                queue.Clear(_server.Packets);
                _active.RemoveAt(i);
            }

            _turn.Ready |= queue.Links;
        }
    }

    private DestinationQueue QueueOf(Coordinate to) =>
        _queues[_server.Shape.RankOf(to)] ??= new DestinationQueue(to, _run);

    private void Refresh(DestinationQueue queue)
    {
        if (queue.ViewVersion != _server.Topology.Version)
        {
            (queue.Links, queue.WayRound) = _choice.Find(queue.Server);
            queue.ViewVersion = _server.Topology.Version;
        }
    }
}
