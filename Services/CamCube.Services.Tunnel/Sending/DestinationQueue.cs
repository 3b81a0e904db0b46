using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// What waits for one server, and the numbers of its lanes. Flows share what the server may get by bytes, and one that
/// had nothing to send goes first (RFC 8290), so a ping does not wait behind a transfer; in each flow CoDel keeps waits
/// short. Loop only; allocates nothing per packet.
/// </summary>
internal sealed class DestinationQueue(Coordinate server, ushort run, WaitingRoom room, CodelTerms terms)
{
    // A multiple of the lanes, so that no flow is on two of them: fewer flows share a queue than share a lane.
    private const int Flows = 4 * TunnelHeader.Lanes;

    // How long a path counts as used by a lane: longer than packets differ on their ways.
    private const long UsedNanos = 20_000_000;
    private readonly uint[] _next = new uint[TunnelHeader.Lanes];
    private readonly long[] _used = new long[TunnelHeader.Lanes * CamCube.Links.Count];
    private readonly FlowQueue?[] _flows = new FlowQueue?[Flows];
    private FlowList _fresh;
    private FlowList _old;

    // Pieces of a frame leave one behind the other, so that its lane has them without a gap.
    private FlowQueue? _unfinished;

    /// <summary>The server.</summary>
    public Coordinate Server { get; } = server;

    /// <summary>Packets that wait.</summary>
    public int Count { get; private set; }

    /// <summary>Their bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Bytes that it may still send in this round; below 0: a debt.</summary>
    public int Credit { get; set; }

    /// <summary>Whether it is among those that have a turn.</summary>
    public bool IsActive { get; set; }

    /// <summary>Links on which its packets may leave.</summary>
    public LinkSet Links { get; set; }

    /// <summary>Those of them that go the other way round.</summary>
    public LinkSet WayRound { get; set; }

    /// <summary>The view in which these links were found.</summary>
    public long ViewVersion { get; set; } = -1;

    /// <summary>Adds a packet, owned from now on.</summary>
    /// <param name="packet">The packet, with its lane.</param>
    /// <param name="hash">Of its flow.</param>
    /// <param name="nowNanos">Server time.</param>
    public void Add(Packet packet, uint hash, long nowNanos)
    {
        FlowQueue flow = _flows[hash % Flows] ??= new FlowQueue(room);
        flow.Add(packet, nowNanos);
        Count++;
        Bytes += packet.WireLength;
        if (!flow.IsListed)
        {
            (flow.IsListed, flow.Credit) = (true, terms.LeastBytes);
            _fresh.Add(flow);
        }
    }

    /// <summary>Takes the next packet, and numbers it: only now, so that numbers rise on each path. There is
    /// one.</summary>
    /// <param name="link">The link it leaves by.</param>
    /// <param name="nowNanos">Server time.</param>
    /// <param name="packets">Takes back those that waited too long.</param>
    /// <param name="counters">Is told of them.</param>
    public Packet Take(Link link, long nowNanos, IServerPackets packets, TunnelCounters counters)
    {
        FlowQueue flow = _unfinished ?? NextFlow();
        while (true)
        {
            Packet packet = Take(flow, out long since);
            CodelFate fate = flow.Judge(terms, packet, since, nowNanos);
            if (fate == CodelFate.Drop)
            {
                // More waits behind it, or it would not have been too late.
                counters.Shed.Add(GiveUpFrame(flow, packet, packets));
                continue;
            }

            if (fate == CodelFate.Mark)
            {
                counters.Marked.Add();
                Congestion.TryMark(packet.WritableBody());
            }

            flow.Credit -= packet.WireLength;
            _unfinished = HasMore(packet) ? flow : null;
            Number(packet, link, nowNanos);
            return packet;
        }
    }

    /// <summary>Gives up the oldest packet of the flow that has most, with all pieces of its frame, so that who
    /// overruns a queue is who loses. Returns how many packets that were.</summary>
    public int DropOfFattest(IServerPackets packets)
    {
        FlowQueue? fattest = null;
        foreach (FlowQueue? flow in _flows)
        {
            fattest = flow is { Count: > 0 } && flow.Bytes > (fattest?.Bytes ?? 0) ? flow : fattest;
        }

        return GiveUpFrame(fattest!, Take(fattest!, out _), packets);
    }

    /// <summary>Gives up all that waits.</summary>
    public void Clear(IServerPackets packets)
    {
        foreach (FlowQueue? flow in _flows)
        {
            for (; flow is { Count: > 0 }; )
            {
                packets.Release(Take(flow, out _));
            }

            if (flow is not null)
            {
                flow.IsListed = false;
            }
        }

        _fresh.Clear();
        _old.Clear();
        _unfinished = null;
    }

    private static bool HasMore(Packet packet)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        return header.IsPiece && (header.Flags & TunnelFlags.Last) == 0;
    }

    // One piece less, and the others travel in vain. A frame is added whole, so its last piece is there.
    private int GiveUpFrame(FlowQueue flow, Packet packet, IServerPackets packets)
    {
        int count = 1;
        for (; HasMore(packet); count++)
        {
            packets.Release(packet);
            packet = Take(flow, out _);
        }

        packets.Release(packet);
        _unfinished = _unfinished == flow ? null : _unfinished;
        return count;
    }

    private Packet Take(FlowQueue flow, out long since)
    {
        Packet packet = flow.Take(out since);
        Count--;
        Bytes -= packet.WireLength;
        return packet;
    }

    private FlowQueue NextFlow()
    {
        while (true)
        {
            bool isFresh = _fresh.First is not null;
            FlowQueue flow = _fresh.First ?? _old.First!;
            if (flow is { Credit: > 0, Count: > 0 })
            {
                return flow;
            }

            if (isFresh)
            {
                _fresh.RemoveFirst();
            }
            else
            {
                _old.RemoveFirst();
            }

            if (flow.Count > 0)
            {
                flow.Credit += terms.LeastBytes;
                _old.Add(flow);
            }
            else if (isFresh && _old.First is not null)
            {
                // One that is empty, and soon has something again, would otherwise be first for ever.
                _old.Add(flow);
            }
            else
            {
                flow.IsListed = false;
            }
        }
    }

    private void Number(Packet packet, Link link, long nowNanos)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        Span<long> used = _used.AsSpan(header.Lane * CamCube.Links.Count, CamCube.Links.Count);
        used[(int)link] = nowNanos + UsedNanos;
        byte paths = 0;
        for (int i = 0; i < used.Length; i++)
        {
            paths |= (byte)(used[i] > nowNanos ? 1 << i : 0);
        }

        (header.Sequence, header.Paths, header.Run) = (_next[header.Lane]++, paths, run);
        header.Path = TunnelHeader.NoPath;
        header.Flags |= WayRound.Contains(link) ? TunnelFlags.WayRound : TunnelFlags.None;
        header.Sum = TunnelSum.Of(header, packet.Body);
    }
}
