using CamCube.Topology;

namespace CamCube.Runtime.Core;

/// <summary>
/// Neighbour liveness, flooding of link states, and the hand-over of keys (HPDC §3.1–3.3, SIGCOMM §2.1.2); the protocol
/// and its reasons are in docs/link-state.md. Every packet on a cable that carries link state is a heartbeat too; while
/// services' packets flow, none is needed. One server's view changes here and nowhere else. Loop only.
/// </summary>
internal sealed class LinkStateService : ICamCubeService
{
    /// <summary>Wire id of the service.</summary>
    public const ushort Id = 0x0001;

    /// <summary>Bytes of <see cref="LinkStateHeader"/>.</summary>
    public const int HeaderLength = 52;

    private readonly ICoreServer _core;
    private readonly IServer _server;
    private readonly NeighbourLink?[] _byLink = new NeighbourLink?[Links.Cables];
    private readonly NeighbourLink[] _links;
    private readonly CubeDatabase _database;
    private readonly FloodSender _sender;
    private readonly KeyHandover _keys;
    private readonly Heartbeats _beats;
    private readonly List<CubeEntry> _heard = [];
    private readonly ServerTimer _tick;
    private readonly ServerTimer _repeat;
    private readonly Counter _misdirected;
    private readonly Counter _resynchronised;
    private readonly long _detectionNanos;
    private readonly long _repeatNanos;
    private readonly bool _isCommissioned;
    private CubeView? _published;
    private LinkSet _publishedUp;
    private bool _isSettled;
    private long _beganNanos;

    public LinkStateService(ICoreServer core)
    {
        (_core, _server) = (core, core.Server);
        _detectionNanos = (long)core.Liveness.DetectionTime.TotalNanoseconds;
        _repeatNanos = Math.Max(_detectionNanos / 16, 1_000_000);
        LinkSet cabled = _server.Shape.CabledLinks(_server.Coordinate);
        bool isFirst = true;
        foreach (Link link in cabled)
        {
            isFirst &= core.LastSentNanos(link) == long.MinValue;
        }

        // A second instance within one run, after a fault: numbers go on above those of the first, by the clock.
        uint first = isFirst ? 0 : (uint)(_server.NowNanos >> 20);
        _isCommissioned = core.IsCommissioned && isFirst;
        _database = new CubeDatabase(core, _isCommissioned, first);
        _links = new NeighbourLink[cabled.Count];
        int i = 0;
        foreach (Link link in cabled)
        {
            _links[i] = new NeighbourLink(link, _server.Shape.Step(_server.Coordinate, link), first);
            _byLink[(int)link] = _links[i++];
        }

        _beats = new Heartbeats(core, _links, _detectionNanos);
        _sender = new FloodSender(core, _database, _repeatNanos);
        _keys = new KeyHandover(core, Settle, Settle);
        _tick = _server.CreateTimer(Tick);
        _repeat = _server.CreateTimer(Settle);
        _misdirected = _server.Counters.Create("misdirected", "{packet}");
        _resynchronised = _server.Counters.Create("resynchronised", "{exchange}");
    }

    /// <summary>
    /// This server's entry says that it has its keys; until <see cref="HasKeys"/> the others may not all know.
    /// </summary>
    public bool HasAnnouncedKeys => _keys.IsAnnounced;

    /// <summary>This server has its keys.</summary>
    public bool HasKeys => _keys.Phase == KeyPhase.Taken;

    /// <inheritdoc/>
    public void OnStart()
    {
        _beats.Begin(_server.NowNanos);
        _published = _database.View;
        _core.SetView(_published);
        foreach (NeighbourLink link in _links)
        {
            link.Phase = _isCommissioned ? LinkPhase.Up : LinkPhase.Down;
            link.Hears = link.IsAssumed = _isCommissioned;
            link.MustSend = true;
            _core.SetLinkUp(link.Link, _isCommissioned);
            _publishedUp |= _isCommissioned ? link.Link : LinkSet.None;
        }

        Settled(_isCommissioned);
        _keys.Begin(_isCommissioned);
        IssueAndPublish();
        _core.TrustKeysUntil(_beats.TrustedUntilNanos);

        // The other services start after this one; whatever calls them waits for the first tick.
        _tick.ArmAt(_server.NowNanos);
    }

    /// <inheritdoc/>
    public Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (
            hop.ArrivedOn == Link.Local
            || _byLink[(int)hop.ArrivedOn] is not { } link
            || packet.Source != link.Neighbour
        )
        {
            _misdirected.Add();
            return Verdict.Drop(DropReason.Unwanted);
        }

        LinkStateHeader header = packet.Header<LinkStateHeader>();
        bool isBatch = (header.Flags & LinkStateFlags.Batch) != 0;
        if (
            packet.HeaderLength < HeaderLength
            || header.Incarnation is 0 or > EntryCodec.MaxIncarnation
            || (!isBatch && packet.BodyLength != 0)
            || !EntryCodec.TryRead(packet.Body, _server.Shape, _heard)
        )
        {
            return Verdict.Drop(DropReason.Malformed);
        }

        _beats.NoteOwnPause(hop.NowNanos);
        if (Hear(link, header, hop.NowNanos) && link.Phase != LinkPhase.Down)
        {
            Receive(link, header, isBatch);
        }

        if (_beats.IsTickClose(_server.NowNanos) && IsSteady())
        {
            // Awake already: what would be sent a moment later goes now.
            Tick();
        }
        else
        {
            Settle();
        }

        return Verdict.Consume;
    }

    // What the header says about the link. False: the packet is out of date; a batch in it was, or will be, part of
    // another.
    private bool Hear(NeighbourLink link, in LinkStateHeader header, long nowNanos)
    {
        // A packet that was overtaken, or of an earlier run. But whoever says nothing else for long is believed: its
        // clock was set back.
        bool isOlder =
            header.Incarnation < link.Incarnation
            || (header.Incarnation == link.Incarnation && (int)(header.Number - link.HeardNumber) <= 0);
        if (isOlder && nowNanos - link.HeardNanos < _detectionNanos)
        {
            return false;
        }

        if (header.Incarnation != link.Incarnation)
        {
            if (link.Incarnation != 0)
            {
                link.TakeDown();
            }

            (link.Incarnation, link.HeardBatch, link.MustSend) = (header.Incarnation, 0, true);
        }

        (link.HeardNumber, link.HeardNanos) = (header.Number, nowNanos);
        link.MustSend |= !link.Hears;
        link.Hears = true;
        bool isMine = header.ReceiverIncarnation == _database.Incarnation;
        if (isMine && (header.Flags & LinkStateFlags.Lost) != 0)
        {
            Lose(new CubeEntry(_server.Coordinate, header.LostIncarnation, header.LostSequence, 0));
        }

        bool isHeardThere =
            (header.Flags & LinkStateFlags.Hears) != 0
            && (isMine || (link.IsAssumed && header.ReceiverIncarnation == 0));
        if (!isHeardThere)
        {
            link.TakeDown();
        }

        link.IsAssumed &= !isMine;
        link.MustSend |= (header.Flags & LinkStateFlags.Doubts) != 0;
        if (isMine)
        {
            link.Prove(header.Heard);
        }

        if (link.Phase == LinkPhase.Down)
        {
            // Answered at once either way, so that both ends have heard what the other said since.
            link.MustSend = true;
            if (!isHeardThere || !link.IsSinceDown(header.Heard))
            {
                return true;
            }

            link.Phase = LinkPhase.Exchange;
            BeginExchange(link);
        }

        if (isMine)
        {
            link.Acknowledge(header.Acknowledged);
        }

        return true;
    }

    // Entries, and how far the two ends are with exchanging them.
    private void Receive(NeighbourLink link, in LinkStateHeader header, bool isBatch)
    {
        if (isBatch)
        {
            _database.Learn(_heard, link.Link);
            link.HeardBatch = header.Number;
            link.MustSend = true;
            if ((header.Flags & LinkStateFlags.Complete) != 0)
            {
                Complete(link, (header.Flags & LinkStateFlags.Commissioned) != 0);
            }
        }

        if ((header.Flags & LinkStateFlags.Unsynchronised) != 0 && !link.OwesComplete)
        {
            // The neighbour lost the link for a moment that went unnoticed here.
            BeginExchange(link);
        }

        CompareDigests(link, header.Digest, isBatch);
    }

    private void Complete(NeighbourLink link, bool isCommissioned)
    {
        if (isCommissioned && _database.Commission())
        {
            foreach (NeighbourLink other in _links)
            {
                if (other.Phase != LinkPhase.Down)
                {
                    other.RepeatComplete();
                }
            }
        }

        link.HasComplete = true;
        RaiseIfReady(link);
    }

    // While this server is in doubt of other links it leads nobody to them.
    private void RaiseIfReady(NeighbourLink link)
    {
        if (link.Phase == LinkPhase.Exchange && link.HasComplete && !_beats.IsInDoubt)
        {
            link.Phase = LinkPhase.Up;
            link.MustSend = true;
        }
    }

    // Nothing should ever differ when both have said all. If it does for long, whatever the reason, they start over.
    private void CompareDigests(NeighbourLink link, ulong digest, bool isBatch)
    {
        if (
            digest == _database.View.Digest
            || isBatch
            || link.Phase != LinkPhase.Up
            || link.OwesComplete
            || _database.Log.HasPending(link.Link, link.Acknowledged)
        )
        {
            link.DiffersSince = long.MinValue;
        }
        else if (link.DiffersSince == long.MinValue)
        {
            link.DiffersSince = _server.NowNanos;
        }
        else if (_server.NowNanos - link.DiffersSince >= 2 * _detectionNanos)
        {
            _resynchronised.Add();
            BeginExchange(link);
        }
    }

    private void BeginExchange(NeighbourLink link)
    {
        _database.Log.ForgetKnown(link.Link);
        link.BeginExchange();
    }

    // A neighbour says that this server was lost with all entries up to this one. If its keys date from then, others
    // have them now: after a pause, or when cables failed and came back in an order in which this server never saw
    // itself alone. It begins again like one that was restarted.
    private void Lose(in CubeEntry upTo)
    {
        if (!_database.Announced.IsNewerThan(upTo) && _keys.Revoke())
        {
            Settled(false);
            foreach (NeighbourLink link in _links)
            {
                link.TakeDown();
            }
        }
    }

    private void Tick()
    {
        long now = _server.NowNanos;
        _beats.Tick(now);
        Settle();
        _tick.ArmAt(_beats.NextTick(now, IsSteady()));
        _core.TrustKeysUntil(_beats.TrustedUntilNanos);
    }

    // Nothing is going on that goes on by itself after a time.
    private bool IsSteady()
    {
        bool isSteady = _isSettled && _keys.Phase == KeyPhase.Taken && !_beats.IsInDoubt;
        foreach (NeighbourLink link in _links)
        {
            isSteady &= link.Hears && link.Phase == LinkPhase.Up;
        }

        return isSteady;
    }

    // After every event: own entry, view, keys, packets, in this order.
    private void Settle()
    {
        if (_server.Stopping.IsCancellationRequested)
        {
            return;
        }

        long now = _server.NowNanos;
        if (_beats.TryEndDoubt())
        {
            foreach (NeighbourLink link in _links)
            {
                RaiseIfReady(link);
            }
        }

        IssueAndPublish();
        if (
            !_isSettled
            && (
                _links.Length == 0
                || now - _beganNanos >= _detectionNanos + (_detectionNanos / 2)
                || _database.View.HasMajority(_server.Coordinate)
            )
        )
        {
            Settled(true);
        }

        _keys.Check(_database.View.HasMajority(_server.Coordinate), MayReturn(now));
        IssueAndPublish();
        _keys.TryTake(!_beats.IsInDoubt && IsOwnEntryAcknowledged(), _database.View.IsWhole, _detectionNanos / 2, now);
        bool isAwaiting = false;
        foreach (NeighbourLink link in _links)
        {
            _sender.Flush(link, now);
            isAwaiting |= link.IsAwaiting;
        }

        if (isAwaiting && !_repeat.IsArmed)
        {
            _repeat.ArmAt(now + _repeatNanos);
        }

        _core.TrustKeysUntil(_beats.TrustedUntilNanos);
    }

    // Whoever has just begun sees nobody and would be the root of all keys.
    private void Settled(bool isSettled)
    {
        _isSettled = isSettled;
        _beganNanos = _server.NowNanos;
        _core.SetSettled(isSettled);
    }

    private void IssueAndPublish()
    {
        LinkSet up = LinkSet.None;
        foreach (NeighbourLink link in _links)
        {
            up |= link.Phase == LinkPhase.Up ? link.Link : LinkSet.None;
        }

        _database.Issue((byte)(up.Bits | (_keys.IsAnnounced ? CubeEntry.KeysBit : 0)));

        // A link that is in use by the view is up, and packets that leave a dead link are routed by the view without
        // it.
        LinkSet before = _publishedUp;
        _publishedUp = up;
        foreach (Link link in up - before)
        {
            _core.SetLinkUp(link, true);
        }

        if (_published != _database.View)
        {
            _published = _database.View;
            NoteLost(_published);
            _core.SetView(_published);
        }

        foreach (Link link in before - up)
        {
            _core.SetLinkUp(link, false);
        }
    }

    // Who loses a neighbour tells it when they meet again. A minority does not: nobody there takes keys of the others.
    private void NoteLost(CubeView view)
    {
        if (view.IsWhole || !view.HasMajority(_server.Coordinate))
        {
            return;
        }

        foreach (NeighbourLink link in _links)
        {
            if (!view.IsReachable(_server.Coordinate, link.Neighbour))
            {
                link.Lost = view.EntryOf(link.Neighbour);
            }
        }
    }

    // With no link at all a server waits until its neighbours would have been heard before it takes itself for the
    // majority.
    private bool MayReturn(long nowNanos)
    {
        bool isExchanging = false;
        foreach (NeighbourLink link in _links)
        {
            isExchanging |= link.Phase == LinkPhase.Exchange;
        }

        return _links.Length == 0
            || !_publishedUp.IsEmpty
            || (!isExchanging && nowNanos - _beats.QuietSinceNanos >= _detectionNanos + (_detectionNanos / 2));
    }

    private bool IsOwnEntryAcknowledged()
    {
        int rank = _server.Shape.RankOf(_server.Coordinate);
        foreach (NeighbourLink link in _links)
        {
            if (link.Phase != LinkPhase.Down && _database.Log.IsPending(rank, link.Link, link.Acknowledged))
            {
                return false;
            }
        }

        return true;
    }
}
