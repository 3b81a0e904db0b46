namespace CamCube.Messaging.Streams.Connections;

/// <summary>Makes the packets of streams when a link asks for one. Loop only.</summary>
internal sealed class LinkSource(StreamHost host) : IPacketSource
{
    private readonly LinkTurns _turns = new(host.MostBody);
    private IOutboundTurn? _turn;

    public bool IsRunning => _turn is not null;

    public void Start() => _turn = host.Server.AddSource(this);

    public void Stop() => _turn = null;

    /// <summary>A path may have something to send.</summary>
    public void Add(ConnectionPath path)
    {
        _turns.Add(path);
        if (_turn is not null)
        {
            _turn.Ready = _turns.Ready;
        }
    }

    /// <inheritdoc/>
    public Packet? OnPoll(Link link)
    {
        while (_turns.Next(link) is { } path)
        {
            if (!path.Connection.CanSend(path) || !path.Links.Contains(link))
            {
                _turns.Leave(link, path);
                continue;
            }

            Packet? packet = path.Connection.Make(path);
            if (packet is not null)
            {
                _turns.Used(link, path, packet.Body.Length, path.Connection.CanSend(path));
                path.Connection.Schedule();
                return BehindOthers(packet, link);
            }

            if (!path.Connection.CanSend(path))
            {
                _turns.Leave(link, path);
                continue;
            }

            // No packet is left: others give theirs back, and the timer asks again.
            host.Schedule(host.NowNanos + host.AckDelayNanos);
            return null;
        }

        return null;
    }

    // While packets that pass wait for the link, own ones stand in line behind them, marked like them: in turns with
    // the queue, a relay's own would get as much as all that pass together.
    private Packet? BehindOthers(Packet packet, Link link)
    {
        int waiting = host.Server.BacklogOf(link).OwnPackets;
        if (waiting == 0)
        {
            return packet;
        }

        if (waiting >= host.Options.MarkPackets)
        {
            host.Form.Of(packet).Marked = 1;
            host.Counters.Marked.Add();
        }

        host.Server.SendVia(packet, link);
        _turn!.Ready = _turns.Ready;
        return null;
    }
}
