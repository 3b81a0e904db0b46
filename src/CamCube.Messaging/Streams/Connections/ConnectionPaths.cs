using System.Runtime.InteropServices;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>The paths of a connection, by the link they begin with, as the view has them. Loop only.</summary>
internal sealed class ConnectionPaths(StreamHost host, StreamConnection connection)
{
    private readonly ConnectionPath?[] _paths = new ConnectionPath?[PathWord.Routed + 1];
    private readonly List<ConnectionPath> _known = [];

    /// <summary>Paths that were ever used.</summary>
    public ReadOnlySpan<ConnectionPath> Known => CollectionsMarshal.AsSpan(_known);

    /// <summary>When something is due next on one of them.</summary>
    public long DueNanos
    {
        get
        {
            long due = long.MaxValue;
            foreach (ConnectionPath path in _known)
            {
                due = Math.Min(due, path.DueNanos);
            }

            return due;
        }
    }

    /// <summary>Packets that were lost.</summary>
    public long Lost
    {
        get
        {
            long lost = 0;
            foreach (ConnectionPath path in _known)
            {
                lost += path.Lost;
            }

            return lost;
        }
    }

    public bool HasPacketsUnderWay
    {
        get
        {
            bool has = false;
            foreach (ConnectionPath path in _known)
            {
                has |= path.InFlight > 0;
            }

            return has;
        }
    }

    /// <summary>A path that a packet came on, or is to leave on.</summary>
    public ConnectionPath At(int index)
    {
        if (_paths[index] is { } known)
        {
            return known;
        }

        var path = new ConnectionPath(connection, index);
        _paths[index] = path;
        _known.Add(path);
        return path;
    }

    public ConnectionPath? Find(int index) => _paths[index];

    /// <summary>Looks at its ways anew: the view or a link changed.</summary>
    public void Refresh()
    {
        bool isUp = false;
        LinkSet up = host.Server.Topology.LinksUp;
        LinkSet wanted = host.SourceLinks(connection.Key.Peer, connection.Terms.Paths);
        for (int i = 0; i < Links.Cables; i++)
        {
            var link = (Link)i;
            bool isUsable = wanted.Contains(link) && up.Contains(link);
            isUp |= isUsable;
            if (isUsable || _paths[i] is not null)
            {
                SetLinks(At(i), isUsable ? link : LinkSet.None);
            }
        }

        // Only where no path is left whole at its beginning, and to this very server.
        if (!isUp || _paths[PathWord.Routed] is not null)
        {
            SetLinks(At(PathWord.Routed), isUp ? LinkSet.None : host.Server.Topology.NextHops(connection.Key.Peer));
        }

        BeginAnewIfSilent();
    }

    /// <summary>Describes as many as there is room for. Returns how many.</summary>
    public int CopyTo(Span<StreamPathReport> reports)
    {
        int n = Math.Min(reports.Length, _known.Count);
        for (int i = 0; i < n; i++)
        {
            reports[i] = _known[i].Describe();
        }

        return n;
    }

    /// <summary>Nothing leaves any more.</summary>
    public void Close()
    {
        foreach (ConnectionPath path in _known)
        {
            path.Links = LinkSet.None;
        }
    }

    /// <summary>Another path of the connection has an answer to what was sent later than the oldest packet of which
    /// this one knows nothing.</summary>
    public bool IsAnotherHeard(ConnectionPath silent)
    {
        long since = silent.UnansweredNanos;
        foreach (ConnectionPath path in _known)
        {
            if (path != silent && !path.Links.IsEmpty && path.AnsweredNanos > since)
            {
                return true;
            }
        }

        return false;
    }

    // Silent is a path only beside one that is not.
    private void BeginAnewIfSilent()
    {
        foreach (ConnectionPath path in _known)
        {
            if (!path.IsSilent && !path.Links.IsEmpty)
            {
                return;
            }
        }

        foreach (ConnectionPath path in _known)
        {
            path.BeginAnewIfSilent();
        }
    }

    private static void SetLinks(ConnectionPath path, LinkSet links)
    {
        if (path.Links == links)
        {
            return;
        }

        bool hadLinks = !path.Links.IsEmpty;
        path.Links = links;
        if (!hadLinks)
        {
            path.BeginAnewIfSilent();
        }
        else if (links.IsEmpty)
        {
            path.LoseAll();
        }
    }
}
