namespace CamCube.Runtime.Loop;

/// <summary>
/// Who may touch the servers of a loop that lets other threads in (<see cref="ISharedService{TService}"/>). The loop
/// has it while it runs them, and not while it sleeps or while its agents have their turns. A thread never has two: so
/// nobody waits for ever.
/// </summary>
internal sealed class LoopLock
{
#if DEBUG
    [ThreadStatic]
    private static LoopLock? _mine;
#endif
    private readonly Lock _lock = new();

    /// <summary>Whether the calling thread has it.</summary>
    public bool IsMine => _lock.IsHeldByCurrentThread;

    /// <summary>Spins a moment, then sleeps, until nobody has it.</summary>
    public void Enter()
    {
#if DEBUG
        if (_mine is not null)
        {
            throw new InvalidOperationException("Whoever is in a server may not enter one: leave the first before.");
        }

#endif
        _lock.Enter();
#if DEBUG
        _mine = this;
#endif
    }

    public void Leave()
    {
#if DEBUG
        _mine = null;
#endif
        _lock.Exit();
    }
}
