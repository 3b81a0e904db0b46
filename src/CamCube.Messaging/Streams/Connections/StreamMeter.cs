using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>
/// Tells the counters of the service what the connections of an endpoint have sent and lost, and how their paths are:
/// looks at them four times a second while there are any, so that packets cost nothing for it. Loop only.
/// </summary>
internal sealed class StreamMeter
{
    private const long Between = 250_000_000;
    private readonly StreamHost _host;
    private readonly ServerTimer _timer;

    // By the link that the paths begin with; base routing counts as Local.
    private readonly PathSums[] _over = new PathSums[Links.Count],
        _told = new PathSums[Links.Count];
    private readonly PathLevels[] _levels = new PathLevels[Links.Count];
    private bool _isArmed;

    public StreamMeter(StreamHost host)
    {
        (_host, _timer) = (host, host.Server.CreateTimer(OnTimer));

        // An earlier run of the service that failed has left its levels.
        Begin();
    }

    /// <summary>There are connections, or will be at once.</summary>
    public void Begin()
    {
        if (!_isArmed)
        {
            _isArmed = true;
            _timer.ArmAt(_host.NowNanos + Between);
        }
    }

    /// <summary>A connection is over: what it has sent still counts.</summary>
    public void Keep(StreamConnection connection)
    {
        foreach (ConnectionPath path in connection.Paths.Known)
        {
            _over[IndexOf(path)].Add(path);
        }
    }

    /// <summary>Looks a last time.</summary>
    public void End()
    {
        _timer.Cancel();
        _isArmed = false;
        Look();
    }

    private void OnTimer()
    {
        _isArmed = false;
        Look();
        if (_host.Connections.Count + _host.Streams > 0)
        {
            Begin();
        }
    }

    private void Look()
    {
        Span<PathSums> sums = stackalloc PathSums[Links.Count];
        _over.CopyTo(sums);
        Array.Clear(_levels);
        for (int i = 0; i < _host.Connections.Count; i++)
        {
            foreach (ConnectionPath path in _host.Connections[i].Paths.Known)
            {
                sums[IndexOf(path)].Add(path);
                _levels[IndexOf(path)].Add(path);
            }
        }

        for (int i = 0; i < Links.Count; i++)
        {
            Tell((Link)i, sums[i], _told[i]);
            _told[i] = sums[i];
        }

        StreamCounters counters = _host.Counters;
        counters.Open.Set(_host.Streams);
        counters.Connections.Set(_host.Connections.Count);
        counters.CreditGranted.Set(_host.ReceiveMemory.Reserved);
        counters.MemoryHeld.Set(_host.SendMemory.Reserved + _host.ReceiveMemory.Reserved);
    }

    private static int IndexOf(ConnectionPath path) => path.Index == PathWord.Routed ? (int)Link.Local : path.Index;

    // Sums go on where an earlier run of the service left them.
    private void Tell(Link link, in PathSums now, in PathSums before)
    {
        StreamCounters counters = _host.Counters;
        counters.PathPackets.Add(link, now.Packets - before.Packets);
        counters.PathBytes.Add(link, now.Bytes - before.Bytes);
        counters.PathLost.Add(link, now.Lost - before.Lost);
        counters.PathMarked.Add(link, now.Marked - before.Marked);
        PathLevels levels = _levels[(int)link];
        counters.PathWindow.Add(link, (long)levels.Window - counters.PathWindow[link]);
        counters.PathRoundTrip.Add(link, (levels.RoundTripNanos / 1_000) - counters.PathRoundTrip[link]);
    }

    /// <summary>What was sent on paths that begin with one link.</summary>
    private record struct PathSums(long Packets, long Bytes, long Lost, long Marked)
    {
        public void Add(ConnectionPath path) =>
            (Packets, Bytes, Lost, Marked) = (
                Packets + path.Packets,
                Bytes + path.Bytes,
                Lost + path.Lost,
                Marked + path.Marked
            );
    }

    /// <summary>How the paths are that begin with one link.</summary>
    private record struct PathLevels(double Window, long RoundTripNanos)
    {
        public void Add(ConnectionPath path)
        {
            if (!path.Links.IsEmpty)
            {
                Window += path.Window;
                RoundTripNanos = Math.Max(RoundTripNanos, path.RoundTripNanos);
            }
        }
    }
}
