namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// Gives each link what is next: of what passes through, or of what begins here. This server counts as one among those
/// whose packets wait for the link, so it neither stands in front of what is on its way already, which would then pile
/// up between here and its destination, nor waits for ever. Loop only; allocates nothing per packet.
/// </summary>
internal sealed class LinkTurns : IPacketSource
{
    private readonly IServer _server;
    private readonly Sender _own;
    private readonly Relay _relay;
    private readonly IOutboundTurn _turn;

    // Bytes that others may send on a link before it is this server's turn.
    private readonly long[] _owed = new long[Links.Cables];

    /// <summary>The turns of a server.</summary>
    public LinkTurns(IServer server, Sender own, Relay relay)
    {
        (_server, _own, _relay) = (server, own, relay);
        _turn = server.AddSource(this);
        own.Added = links => _turn.Ready |= links;
    }

    /// <summary>A packet passes through.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="next">Its next link.</param>
    public Verdict PassOn(Packet packet, Link next)
    {
        if (packet.HopLimit == 0 || !(_turn.Ready.Contains(next) || _server.BacklogOf(next).OwnPackets > 0))
        {
            // Nothing waits for the link.
            return Verdict.Via(next);
        }

        _relay.Add(packet, next);
        _turn.Ready |= next;
        return Verdict.Taken;
    }

    /// <inheritdoc/>
    public Packet? OnPoll(Link link)
    {
        if (_server.BacklogOf(link).OwnPackets > 0)
        {
            // These came before, and numbers are to rise on each path.
            _turn.Ready |= link;
            return null;
        }

        ref long owed = ref _owed[(int)link];
        int senders = _relay.SendersFor(link);
        if (senders == 0)
        {
            owed = 0;
            return _own.Take(link);
        }

        if (owed <= 0 && _own.Take(link) is { } own)
        {
            owed = (long)own.WireLength * senders;
            return own;
        }

        Packet passing = _relay.Take(link);
        owed -= passing.WireLength;
        return passing;
    }

    /// <summary>The view has changed.</summary>
    public void OnTopologyChanged()
    {
        _own.OnTopologyChanged();
        _relay.OnTopologyChanged();
    }
}
