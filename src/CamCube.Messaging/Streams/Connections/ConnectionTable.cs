namespace CamCube.Messaging.Streams.Connections;

/// <summary>The connections of an endpoint: by key, by what streams ask for, and those without a stream in the order in
/// which they became so. Loop only.</summary>
internal sealed class ConnectionTable(StreamOptions options, StreamMeter meter)
{
    private readonly Dictionary<ConnectionKey, StreamConnection> _byKey = [];
    private readonly Dictionary<(Coordinate Peer, ConnectionTerms Terms), StreamConnection> _byTerms = [];
    private readonly Dictionary<Coordinate, int> _accepted = [];
    private readonly List<StreamConnection> _inOrder = [];
    private readonly LinkedList<StreamConnection> _idle = new();
    private uint _number;

    /// <summary>All, the oldest first.</summary>
    public IReadOnlyList<StreamConnection> All => _inOrder;

    public StreamConnection? Find(in ConnectionKey key) => _byKey.GetValueOrDefault(key);

    /// <summary>One on which streams may be opened.</summary>
    public StreamConnection? Find(Coordinate peer, in ConnectionTerms terms) =>
        _byTerms.GetValueOrDefault((peer, terms));

    /// <summary>A number that no connection of this run has had.</summary>
    public uint TakeNumber() => _number = _number == uint.MaxValue ? 1 : _number + 1;

    /// <summary>The idle connection that must go before there is room for another with this peer; null if nobody must,
    /// or can.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="isOpener">Whether this side opens it.</param>
    /// <param name="hasRoom">Whether there is room, then.</param>
    public StreamConnection? MakeRoom(Coordinate peer, bool isOpener, out bool hasRoom)
    {
        bool isPeerFull = !isOpener && _accepted.GetValueOrDefault(peer) >= options.PerPeer;
        if (!isPeerFull && _inOrder.Count < options.Connections)
        {
            hasRoom = true;
            return null;
        }

        LinkedListNode<StreamConnection>? oldest = _idle.First;
        while (isPeerFull && oldest is not null && (oldest.Value.Key.Peer != peer || oldest.Value.Key.IsOpener))
        {
            oldest = oldest.Next;
        }

        hasRoom = oldest is not null;
        return oldest?.Value;
    }

    public void Add(StreamConnection connection)
    {
        _byKey.Add(connection.Key, connection);
        _byTerms.TryAdd((connection.Key.Peer, connection.Terms), connection);
        _inOrder.Add(connection);
        if (!connection.Key.IsOpener)
        {
            _accepted[connection.Key.Peer] = _accepted.GetValueOrDefault(connection.Key.Peer) + 1;
        }

        NoteIdle(connection, isIdle: true);
        meter.Begin();
    }

    public void Remove(StreamConnection connection)
    {
        NoteIdle(connection, isIdle: false);
        _byKey.Remove(connection.Key);
        _inOrder.Remove(connection);
        (Coordinate, ConnectionTerms) terms = (connection.Key.Peer, connection.Terms);
        if (_byTerms.GetValueOrDefault(terms) == connection)
        {
            _byTerms.Remove(terms);
        }

        if (!connection.Key.IsOpener && --_accepted[connection.Key.Peer] == 0)
        {
            _accepted.Remove(connection.Key.Peer);
        }

        meter.Keep(connection);
    }

    /// <summary>There will be no others.</summary>
    public void End() => meter.End();

    /// <summary>A connection has no stream any more, or has one again.</summary>
    public void NoteIdle(StreamConnection connection, bool isIdle)
    {
        bool wasIdle = connection.IdleNode.List is not null;
        if (isIdle && !wasIdle)
        {
            _idle.AddLast(connection.IdleNode);
        }
        else if (!isIdle && wasIdle)
        {
            _idle.Remove(connection.IdleNode);
        }
    }
}
