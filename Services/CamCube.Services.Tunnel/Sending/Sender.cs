using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// What begins at this server and waits to leave it, a queue per destination, which share each link by bytes (deficit
/// round-robin with debts): when a link asks, the next destination of which a path begins on it gives a packet. Where
/// there is no room those who have most lose. Loop only; allocates nothing per packet.
/// </summary>
internal sealed class Sender
{
    private readonly IServer _server;
    private readonly TunnelOptions _options;
    private readonly TunnelCounters _counters;
    private readonly PathChoice _choice;
    private readonly DestinationQueue?[] _queues;
    private readonly List<DestinationQueue> _active = [];
    private readonly WaitingRoom _room;
    private readonly CodelTerms _terms;
    private readonly long _usedNanos;
    private readonly ushort _run;
    private int _next;

    /// <summary>The sender of a server.</summary>
    public Sender(IServer server, TunnelOptions options, CodelTerms terms, PathChoice choice, TunnelCounters counters)
    {
        (_server, _options, _terms, _choice, _counters) = (server, options, terms, choice, counters);
        _queues = new DestinationQueue?[server.Shape.Count];
        _room = new WaitingRoom(options.QueuePackets);
        _usedNanos = (long)options.MostWait.TotalNanoseconds;
        _run = TunnelRun.Begin(server, counters.Starts);
    }

    /// <summary>Is told on which links something may leave now.</summary>
    public Action<LinkSet>? Added { get; set; }

    /// <summary>Packets that wait.</summary>
    public int Waiting { get; private set; }

    /// <summary>Makes room for packets that are added next. False: there is not so much.</summary>
    /// <param name="to">Their destination.</param>
    /// <param name="packets">How many.</param>
    /// <param name="bytes">Their bytes, without headers.</param>
    public bool TryMakeRoom(Coordinate to, int packets, int bytes)
    {
        if (packets > _options.QueuePackets || bytes > _options.QueueBytes)
        {
            return false;
        }

        DestinationQueue queue = QueueOf(to);
        while (queue.Count > 0 && queue.Bytes + bytes > _options.QueueBytes)
        {
            DropOf(queue);
        }

        while (Waiting + packets > _options.QueuePackets)
        {
            DropOf(Fattest());
        }

        return true;
    }

    /// <summary>Adds a packet to a server's queue, for which room was made; it is owned from now on.</summary>
    /// <param name="to">Its destination.</param>
    /// <param name="packet">The packet, with its lane.</param>
    /// <param name="hash">Of its flow.</param>
    public void Add(Coordinate to, Packet packet, uint hash)
    {
        DestinationQueue queue = QueueOf(to);
        Refresh(queue);
        packet.Destination = to;
        queue.Add(packet, hash, _server.NowNanos);
        Waiting++;
        if (!queue.IsActive)
        {
            (queue.IsActive, queue.Credit) = (true, Math.Min(queue.Credit, 0));
            _active.Add(queue);
        }

        Added?.Invoke(queue.Links);
    }

    /// <summary>Takes the next packet that leaves by a link; null: there is none.</summary>
    public Packet? Take(Link link)
    {
        // A queue is passed once per round until its debt is paid, and a round pays more than the largest packet costs.
        for (int passed = 0; passed < 2 * _active.Count; passed++)
        {
            _next = _next >= _active.Count ? 0 : _next;
            DestinationQueue queue = _active[_next];
            if (queue.Count == 0)
            {
                Remove(_next);
                continue;
            }

            if (!queue.Links.Contains(link))
            {
                _next++;
                continue;
            }

            if (queue.Credit <= 0)
            {
                queue.Credit += _terms.LeastBytes;
                _next++;
                continue;
            }

            int before = queue.Count;
            Packet packet = queue.Take(link, _server.NowNanos, _server.Packets, _counters);
            queue.Credit -= packet.WireLength;
            Waiting -= before - queue.Count;
            _counters.Sent.Add();
            if (queue.Count == 0)
            {
                Remove(_next);
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
                Remove(i);
            }

            Added?.Invoke(queue.Links);
        }
    }

    private DestinationQueue QueueOf(Coordinate to) =>
        _queues[_server.Shape.RankOf(to)] ??= new DestinationQueue(to, _run, _room, _terms, _usedNanos);

    private void Remove(int at)
    {
        _active[at].IsActive = false;
        _active.RemoveAt(at);
    }

    private void DropOf(DestinationQueue queue)
    {
        int count = queue.DropOfFattest(_server.Packets);
        Waiting -= count;
        _counters.Full.Add(count);
    }

    private DestinationQueue Fattest()
    {
        DestinationQueue fattest = _active[0];
        foreach (DestinationQueue queue in _active)
        {
            fattest = queue.Count > fattest.Count ? queue : fattest;
        }

        return fattest;
    }

    private void Refresh(DestinationQueue queue)
    {
        if (queue.ViewVersion != _server.Topology.Version)
        {
            (queue.Links, queue.WayRound) = _choice.Find(queue.Server);
            queue.ViewVersion = _server.Topology.Version;
        }
    }
}
