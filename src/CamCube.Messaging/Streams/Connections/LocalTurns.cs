namespace CamCube.Messaging.Streams.Connections;

/// <summary>The paths to this very server, which no link asks for packets: some after each callback. Loop
/// only.</summary>
internal sealed class LocalTurns(StreamHost host)
{
    private const int MostAtOnce = 32;
    private readonly Queue<ConnectionPath> _paths = new();
    private bool _isPosted;

    /// <summary>A path may have something to send.</summary>
    public void Add(ConnectionPath path)
    {
        if (!path.IsQueuedLocal)
        {
            path.IsQueuedLocal = true;
            _paths.Enqueue(path);
        }

        Begin();
    }

    private void Begin()
    {
        if (!_isPosted)
        {
            _isPosted = true;
            host.Server.Loop.Post(static turns => ((LocalTurns)turns!).Send(), this);
        }
    }

    private void Send()
    {
        _isPosted = false;
        for (int left = MostAtOnce; left > 0 && _paths.TryDequeue(out ConnectionPath? path); left--)
        {
            path.IsQueuedLocal = false;
            if (!host.IsRunning || !path.Connection.CanSend(path) || path.Connection.Make(path) is not { } packet)
            {
                continue;
            }

            host.Server.Send(packet, host.Server.Coordinate);
            path.Connection.Schedule();
            if (path.Connection.CanSend(path))
            {
                path.IsQueuedLocal = true;
                _paths.Enqueue(path);
            }
        }

        if (_paths.Count > 0)
        {
            Begin();
        }
    }
}
