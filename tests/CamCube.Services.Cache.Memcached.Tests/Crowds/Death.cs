namespace CamCube.Services.Cache.Memcached.Tests.Crowds;

/// <summary>The death of a server, for a crowd that works before, during and after it.</summary>
/// <param name="clients">How many await it.</param>
internal sealed class Death(int clients)
{
    private readonly TaskCompletionSource _awaited = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _left = clients;
    private volatile bool _hasHappened;

    /// <summary>Ends when all clients work and await it.</summary>
    public Task Awaited => _awaited.Task;

    /// <summary>Whether it is over: nothing that is sent now reaches the server.</summary>
    public bool HasHappened => _hasHappened;

    /// <summary>A client works, and goes on meanwhile.</summary>
    public void Await()
    {
        if (Interlocked.Decrement(ref _left) == 0)
        {
            _awaited.TrySetResult();
        }
    }

    /// <summary>The server is dead.</summary>
    public void Happen() => _hasHappened = true;
}
