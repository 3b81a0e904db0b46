namespace CamCube.Messaging.Streams.Connections;

/// <summary>For each link the paths that may have something to send there, in turn.</summary>
internal sealed class LinkTurns
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
        foreach (Link link in path.Links - path.Queued)
        {
            _paths[(int)link].Enqueue(path);
            Ready |= link;
        }

        path.Queued |= path.Links;
    }

    /// <summary>Takes whose turn it is on a link; null: nobody's. Who has more to send is added again.</summary>
    public ConnectionPath? Take(Link link)
    {
        if (!_paths[(int)link].TryDequeue(out ConnectionPath? path))
        {
            Ready -= link;
            return null;
        }

        path.Queued -= link;
        return path;
    }
}
