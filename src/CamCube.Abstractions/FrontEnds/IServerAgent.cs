namespace CamCube;

/// <summary>
/// The part of a service that waits for descriptors of the operating system in its server's loop: a network card of its
/// own, pipes of child processes (<see cref="IServerLoop.TryJoin"/>). For clients from outside there is
/// <see cref="ILoopAgent{TService}"/>.
/// </summary>
public interface IServerAgent
{
    /// <summary>
    /// A turn: time and events in, next deadline out. It must not block, and should do a bounded amount of work:
    /// packets wait meanwhile. With the service's rights, as a timer of it.
    /// </summary>
    /// <param name="events">What happened at the descriptors it watches, since its last turn.</param>
    /// <param name="nowNanos">Server time.</param>
    /// <returns>When its next turn is due without an event: <paramref name="nowNanos"/> or earlier is at once,
    /// <see cref="long.MaxValue"/> is never.</returns>
    long Turn(ReadOnlySpan<LoopEvent> events, long nowNanos);
}
