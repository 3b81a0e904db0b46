using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// What waits, in a queue per flow. Flows share what leaves by bytes, and one that had nothing to send goes first
/// (RFC 8290), so a ping does not wait behind a transfer; in each flow CoDel keeps waits short. Loop only; allocates
/// nothing per packet.
/// </summary>
/// <param name="room">The places of packets.</param>
/// <param name="terms">Settings of CoDel.</param>
/// <param name="most">How many flows there may be.</param>
/// <param name="keepsFrames">Whether pieces of a frame lie here one behind the other, and leave so.</param>
internal sealed class FairQueue(WaitingRoom room, CodelTerms terms, int most, bool keepsFrames)
{
    private readonly FlowQueue?[] _flows = new FlowQueue?[most];
    private FlowList _fresh;
    private FlowList _old;
    private FlowQueue? _unfinished;

    /// <summary>Packets that wait.</summary>
    public int Count { get; private set; }

    /// <summary>Their bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Flows of which packets wait.</summary>
    public int Flows { get; private set; }

    /// <summary>Adds a packet, owned from now on.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="at">Its flow, from 0.</param>
    /// <param name="nowNanos">Server time.</param>
    public void Add(Packet packet, int at, long nowNanos)
    {
        FlowQueue flow = _flows[at] ??= new FlowQueue(room, keepsFrames);
        Flows += flow.Count == 0 ? 1 : 0;
        flow.Add(packet, nowNanos);
        Count++;
        Bytes += packet.WireLength;
        if (!flow.IsListed)
        {
            (flow.IsListed, flow.Credit) = (true, terms.LeastBytes);
            _fresh.Add(flow);
        }
    }

    /// <summary>Takes the next packet. There is one.</summary>
    /// <param name="nowNanos">Server time.</param>
    /// <param name="packets">Takes back those that waited too long.</param>
    /// <param name="counters">Is told of them.</param>
    /// <param name="isLate">Whether it is to be marked because others wait too long.</param>
    public Packet Take(long nowNanos, IServerPackets packets, TunnelCounters counters, out bool isLate)
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

            isLate = fate == CodelFate.Mark;
            flow.Credit -= packet.WireLength;
            _unfinished = HasMore(packet) ? flow : null;
            return packet;
        }
    }

    /// <summary>Gives up the oldest packet of the flow that has most, with all pieces of its frame, so that who
    /// overruns a queue is who loses. There is one. Returns how many packets that were.</summary>
    public int DropOfFattest(IServerPackets packets)
    {
        FlowQueue? fattest = null;
        foreach (FlowQueue? flow in _flows)
        {
            fattest = flow is { Count: > 0 } && flow.Bytes > (fattest?.Bytes ?? 0) ? flow : fattest;
        }

        return GiveUpFrame(fattest!, Take(fattest!, out _), packets);
    }

    /// <summary>Takes all that waits, one after the other; of each flow in order. Null: that was all.</summary>
    public Packet? TakeAny()
    {
        foreach (FlowQueue? flow in _flows)
        {
            if (flow is { Count: > 0 })
            {
                return Take(flow, out _);
            }
        }

        foreach (FlowQueue? flow in _flows)
        {
            if (flow is not null)
            {
                flow.IsListed = false;
            }
        }

        _fresh.Clear();
        _old.Clear();
        _unfinished = null;
        return null;
    }

    private bool HasMore(Packet packet)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        return keepsFrames && header.IsPiece && (header.Flags & TunnelFlags.Last) == 0;
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
        Flows -= flow.Count == 0 ? 1 : 0;
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
}
