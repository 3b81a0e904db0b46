namespace CamCube.Faults;

/// <summary>
/// The links of one server with fault rules in front. Packets are judged as they enter a link, on the sender's loop;
/// simulated cables then carry them as judged, for real ones they are held back here until they are due and the link
/// has room.
/// </summary>
internal sealed class FaultyLinks : TwoWayLinkDecorator
{
    private readonly LinkFaultRules _rules;
    private readonly int _rank;
    private readonly Coordinate _self;
    private readonly long[] _orderedUntil = new long[Links.Cables];
    private readonly HeldPackets? _held;
    private FaultRandom _random;
    private LinkFaultCounts _counts;

    public FaultyLinks(LinkFaultRules rules, int rank, FaultRandom random, LinkDriver inner)
        : base(inner)
    {
        (_rules, _rank, _random) = (rules, rank, random);
        _self = rules.Shape.At(rank);
        _held = inner.ShapesPackets ? null : new HeldPackets(inner);
    }

    public LinkFaultCounts Counts => _held is null ? _counts : _counts with { Overflowed = _held.Overflowed };

    // It shapes packets itself, and what is around it has no say in that.
    public override bool ShapesPackets => false;

    public override void Attach(ILinkEvents server)
    {
        // What a server that was stopped had sent and the rules still hold back is gone with it.
        _held?.Close();
        _held?.Attach(server);
        base.Attach(server);
    }

    public override long Transmit(Link link, Packet packet, long now)
    {
        if (_rules.Active.Length == 0 && _held is not null)
        {
            return _held.Pass(link, packet, now);
        }

        FaultDecision decision = Judge(link, packet, now);
        long serialisation = _held is null ? Inner.SerialisationNanos(packet.WireLength) : 0;
        long busy = Math.Max(serialisation, decision.BusyNanos);
        _counts = _counts with { Slowed = _counts.Slowed + (busy > serialisation ? 1 : 0) };
        if (IsLost(decision, packet))
        {
            // It took its time on the link all the same: a cut cable is not a fast one.
            Server.Lose(packet);
            return _held is null ? now + busy : _held.Occupy(link, now, busy);
        }

        long later = Later(link, decision, now, busy);
        for (int i = 0; i < decision.Copies; i++)
        {
            _counts = _counts with { Duplicated = _counts.Duplicated + 1 };
            Packet copy = Server.Copy(packet);
            packet = Carry(link, packet, now, busy, later, copy);
        }

        return _held is null
            ? Inner.TransmitShaped(link, packet, now, busy, later)
            : _held.Add(link, packet, now, busy, later);
    }

    public override void Flush(long now)
    {
        _held?.Release(now);
        Inner.Flush(now);
    }

    public override void Wait(long nowNanos, long deadlineNanos) =>
        Inner.Wait(nowNanos, Math.Min(deadlineNanos, _held?.NextNanos ?? long.MaxValue));

    public override void Close()
    {
        _held?.Close();
        Inner.Close();
    }

    public override void LinkFree(Link link, long now) => Server.LinkFree(link, _held?.LinkFree(link, now) ?? now);

    // The first of two goes on its way, the second is what remains to be sent.
    private Packet Carry(Link link, Packet packet, long now, long busy, long later, Packet copy)
    {
        if (_held is null)
        {
            Inner.TransmitShaped(link, packet, now, busy, later);
        }
        else
        {
            _held.Add(link, packet, now, busy, later);
        }

        return copy;
    }

    private FaultDecision Judge(Link link, Packet packet, long now)
    {
        FaultDecision decision = default;
        LinkFaultRules.ActiveRule[] rules = _rules.Active;
        if (rules.Length == 0)
        {
            return decision;
        }

        Server.Lend(packet);
        ServiceId service = packet.Service;
        try
        {
            Judge(rules, ref decision, new LinkPassage(_self, link, packet, now), service);
        }
        finally
        {
            Server.TakeBack(packet);
        }

        return decision;
    }

    private void Judge(
        LinkFaultRules.ActiveRule[] rules,
        ref FaultDecision decision,
        in LinkPassage passage,
        ServiceId service
    )
    {
        foreach (LinkFaultRules.ActiveRule rule in rules)
        {
            if (
                (rule.Links[_rank] >> (int)passage.Link & 1) != 0
                && (rule.Service < 0 || rule.Service == service.Value)
            )
            {
                try
                {
                    rule.Fault.Decide(ref decision, ref _random, passage);
                }
                catch (Exception e) when (_rules.Ended is { } ended)
                {
                    // The rule ends, and not the server.
                    rule.Dispose();
                    ended(rule.Fault, e);
                }
            }
        }
    }

    private bool IsLost(in FaultDecision decision, Packet packet)
    {
        if (decision.IsCut)
        {
            _counts = _counts with { Cut = _counts.Cut + 1 };
            return true;
        }

        if (decision.IsLost)
        {
            _counts = _counts with { Lost = _counts.Lost + 1 };
            return true;
        }

        if (decision.IsCorrupted)
        {
            bool isReadable = Server.Corrupt(packet, _random.Next());
            _counts = isReadable
                ? _counts with
                {
                    Corrupted = _counts.Corrupted + 1,
                }
                : _counts with
                {
                    Garbled = _counts.Garbled + 1,
                };
            return !isReadable;
        }

        return false;
    }

    private long Later(Link link, in FaultDecision decision, long now, long busy)
    {
        long later = decision.DelayNanos;
        if (later > 0)
        {
            // Behind the one before it, whatever the jitter says.
            ref long until = ref _orderedUntil[(int)link];
            later = Math.Max(later, until - now);
            until = now + busy + later;
            _counts = _counts with { Delayed = _counts.Delayed + 1 };
        }

        if (decision.HoldBackNanos > 0)
        {
            later += decision.HoldBackNanos;
            _counts = _counts with { HeldBack = _counts.HeldBack + 1 };
        }

        return later;
    }
}
