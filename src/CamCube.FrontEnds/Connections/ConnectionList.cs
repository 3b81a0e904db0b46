using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Connections;

/// <summary>The clients connected to one front end, in the order they came. Any thread.</summary>
public sealed class ConnectionList
{
    private readonly Lock _lock = new();
    private readonly LinkedList<IConnection> _connections = new();
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

    /// <summary>Every socket: those that listen, then the clients in the order they came; maybe a moment
    /// late.</summary>
    public IEnumerable<ConnectionFacts> Describe() =>
        Listeners.Concat(ToArray().Select(connection => connection.Describe()));

    /// <summary>Notes which sockets listen.</summary>
    internal void Listen(IEnumerable<ConnectionFacts> listeners) => _listeners = [.. listeners];

    /// <summary>Adds a client unless there are as many as allowed.</summary>
    internal bool TryAdd(IConnection connection, int limit)
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
    internal void Remove(IConnection connection)
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
    internal IConnection[] ToArray()
    {
        lock (_lock)
        {
            return [.. _connections];
        }
    }

    /// <summary>Ends when the next client has ended, at once if there is none.</summary>
    internal Task WaitForAnEnd()
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
