namespace CamCube;

/// <summary>
/// The part of a front end that lives in a server's loop. Where the system lets a loop wait for descriptors (Linux),
/// clients can be served without a thread of their own: no hand-over between threads, which costs more than a request
/// does (docs/front-ends.md).
/// </summary>
/// <typeparam name="TService">The service that it serves clients with.</typeparam>
public interface ILoopAgent<in TService>
    where TService : class
{
    /// <summary>Who it is, for the log and for health.</summary>
    string Name => GetType().Name;

    /// <summary>
    /// A turn: time and events in, next deadline out. It must not block, and should do a bounded amount of work:
    /// packets and the other agents of the loop wait meanwhile. Loop only, with the service's rights: it may call the
    /// service directly, and what is awaited continues on the loop. An exception ends the agent, and nobody else: the
    /// host is told, and no turn comes any more. What a call into the service threw is the service's, if the agent says
    /// so (<see cref="ILoopSeat.Fault"/>).
    /// </summary>
    /// <param name="service">The instance that is running now; null while none is, and where other threads are let in
    /// (<see cref="IServerGate.TryShare"/>): there an agent comes in as they do, and is not in the server when its turn
    /// begins.</param>
    /// <param name="events">What happened at the descriptors it watches, since its last turn.</param>
    /// <param name="nowNanos">Server time.</param>
    /// <returns>When its next turn is due without an event: <paramref name="nowNanos"/> or earlier is at once,
    /// <see cref="long.MaxValue"/> is never.</returns>
    long Turn(TService? service, ReadOnlySpan<LoopEvent> events, long nowNanos);

    /// <summary>It threw, and no turn comes any more: closes what it has open, so that nobody waits for it. Loop only,
    /// once.</summary>
    void Ended() { }
}
