namespace CamCube.Messaging.Streams.Connections;

/// <summary>For each link the paths that may have something to send there, in turn: each as many bytes as its
/// connection weighs (deficit round robin). Loop only.</summary>
/// <param name="quantum">Bytes of a turn with weight 1; no packet has more.</param>
internal sealed class LinkTurns(int quantum)
{
    private readonly Queue<ConnectionPath>[] _paths =
    [
        .. Enumerable.Range(0, Links.Cables).Select(_ => new Queue<ConnectionPath>()),
    ];

    /// <summary>Links with somebody in turn.</summary>
    public LinkSet Ready { get; private set; }

    /// <summary>A path may have something to send.</summary>
    public void Add(ConnectionPath path)
    {
        if (path.Queued.IsEmpty)
        {
            path.TurnBytes = TurnOf(path);
        }

        foreach (Link link in path.Links - path.Queued)
        {
            _paths[(int)link].Enqueue(path);
            Ready |= link;
        }

        path.Queued |= path.Links;
    }

    /// <summary>Whose turn it is on a link; null: nobody's. Then either <see cref="Used"/> or <see cref="Leave"/>.
    /// </summary>
    public ConnectionPath? Next(Link link)
    {
        if (_paths[(int)link].TryPeek(out ConnectionPath? path))
        {
            return path;
        }

        Ready -= link;
        return null;
    }

    /// <summary>Whose turn it is has sent a packet of so many bytes.</summary>
    public void Used(Link link, ConnectionPath path, int bytes, bool hasMore)
    {
        path.TurnBytes -= bytes;
        if (!hasMore)
        {
            Leave(link, path);
        }
        else if (path.TurnBytes <= 0)
        {
            path.TurnBytes += TurnOf(path);
            Queue<ConnectionPath> paths = _paths[(int)link];
            paths.Enqueue(paths.Dequeue());
        }
    }

    /// <summary>Whose turn it is has nothing to send now.</summary>
    public void Leave(Link link, ConnectionPath path)
    {
        _paths[(int)link].Dequeue();
        path.Queued -= link;
        Ready -= _paths[(int)link].Count == 0 ? link : LinkSet.None;
    }

    private int TurnOf(ConnectionPath path) => path.Connection.Weight * quantum;
}
