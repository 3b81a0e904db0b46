namespace CamCube;

/// <summary>
/// A service of one server, for threads of other loops of the same process: they come in one at a time and do their
/// work themselves, which costs a lock in place of two changes of threads. Who shares a server shares it with its own
/// loop, too.
/// </summary>
/// <typeparam name="TService">The service.</typeparam>
public interface ISharedService<out TService>
    where TService : class
{
    /// <summary>
    /// Waits until nobody else is in the server, and enters it. Then the service may be called as from its loop, but
    /// for what is not done when the call returns: nothing of it may be awaited. Whoever is in may not wait for
    /// anything, call the system, or enter another server. Any thread.
    /// </summary>
    /// <returns>The instance that is running; null if none is. <see cref="Leave"/> follows in both cases, on the same
    /// thread.</returns>
    TService? Enter();

    /// <summary>What the service threw: a fault of it. Only between <see cref="Enter"/> and
    /// <see cref="Leave"/>.</summary>
    void Fault(Exception error);

    /// <summary>Leaves the server. If its loop sleeps and has something to do now, it is woken.</summary>
    void Leave();
}
