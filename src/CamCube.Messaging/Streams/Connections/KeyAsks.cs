namespace CamCube.Messaging.Streams.Connections;

/// <summary>Streams to keys whose root was not found yet, until their next attempt. Loop only.</summary>
internal sealed class KeyAsks(StreamHost host)
{
    private readonly List<(StreamBody Stream, KeyAsk Ask)> _asking = [];

    /// <summary>When the next is due.</summary>
    public long DueNanos { get; private set; } = long.MaxValue;

    /// <summary>A stream was refused by who is not root, or its server was lost before it answered.</summary>
    public void Add(StreamBody stream, KeyAsk ask)
    {
        stream.Holds++;
        ask.Wait(host.NowNanos);
        _asking.Add((stream, ask));
        DueNanos = Math.Min(DueNanos, ask.DueNanos);
    }

    /// <summary>Asks those whose time has come.</summary>
    public void OnTimer(long nowNanos)
    {
        if (DueNanos > nowNanos)
        {
            return;
        }

        (StreamBody Stream, KeyAsk Ask)[] asking = [.. _asking];
        _asking.Clear();
        DueNanos = long.MaxValue;
        foreach ((StreamBody stream, KeyAsk ask) in asking)
        {
            if (ask.DueNanos > nowNanos && !stream.End.HasEnded)
            {
                _asking.Add((stream, ask));
                DueNanos = Math.Min(DueNanos, ask.DueNanos);
                continue;
            }

            if (!stream.End.HasEnded)
            {
                AskNow(stream, ask, nowNanos);
            }

            stream.LetGo();
        }
    }

    /// <summary>The endpoint stops: they end.</summary>
    public void End()
    {
        foreach ((StreamBody stream, _) in _asking)
        {
            stream.GiveUp(new StreamEnd(StreamEndReason.Closed));
            stream.LetGo();
        }

        _asking.Clear();
        DueNanos = long.MaxValue;
    }

    private void AskNow(StreamBody stream, KeyAsk ask, long nowNanos)
    {
        ITopologyView view = host.Server.Topology;
        Coordinate root = view.RootOf(stream.AskedKey);
        if (nowNanos >= ask.UntilNanos)
        {
            stream.GiveUp(new StreamEnd(StreamEndReason.RootMoved) { Root = ask.Hint ?? root });
            return;
        }

        // Who refused may know better than this view.
        Coordinate to = root == stream.Peer && ask.Hint is { } hint && view.IsReachable(hint) ? hint : root;
        if (host.Reach(to, ask.Terms, weight: 0) is { } connection)
        {
            connection.Adopt(stream);
        }
        else
        {
            Add(stream, ask);
        }
    }
}
