namespace CamCube.Services.Cache.FrontEnds;

/// <summary>The clients connected to one front end, in the order they came. Any thread.</summary>
internal sealed class ConnectionList
{
    private readonly Lock _lock = new();
    private readonly LinkedList<IServedClient> _connections = new();
    private TaskCompletionSource? _nextEnd;
    private volatile ConnectionFacts[] _listeners = [];

    /// <summary>The sockets that listen.</summary>
    public IReadOnlyList<ConnectionFacts> Listeners => _listeners;

    /// <summary>Clients connected now.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _connections.Count;
            }
        }
    }

    /// <summary>Notes which sockets listen.</summary>
    public void Listen(IEnumerable<ConnectionFacts> listeners) => _listeners = [.. listeners];

    /// <summary>Adds a client unless there are as many as allowed.</summary>
    public bool TryAdd(IServedClient connection, int limit)
    {
        lock (_lock)
        {
            if (_connections.Count >= limit)
            {
                return false;
            }

            connection.Node = _connections.AddLast(connection);
            return true;
        }
    }

    /// <summary>Takes a client out that has ended.</summary>
    public void Remove(IServedClient connection)
    {
        TaskCompletionSource? waiting;
        lock (_lock)
        {
            if (connection.Node is null)
            {
                return;
            }

            _connections.Remove(connection.Node);
            connection.Node = null;
            waiting = _nextEnd;
            _nextEnd = null;
        }

        waiting?.SetResult();
    }

    /// <summary>The clients connected now.</summary>
    public IServedClient[] ToArray()
    {
        lock (_lock)
        {
            return [.. _connections];
        }
    }

    /// <summary>Ends when the next client has ended, at once if there is none.</summary>
    public Task WaitForAnEnd()
    {
        lock (_lock)
        {
            if (_connections.Count == 0)
            {
                return Task.CompletedTask;
            }

            _nextEnd ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _nextEnd.Task;
        }
    }
}
