namespace CamCube;

/// <summary>
/// The loop that a server runs in, as one of its services sees it: work on it, its pauses, and a
/// place in it (<see cref="IServer.Loop"/>). Loop only.
/// </summary>
public interface IServerLoop
{
    /// <summary>
    /// How long the server last stood still, in nanoseconds of true time: from the moment at which it should have gone
    /// on (a timer was due, or a step of its own had taken too long) until it did. 0 if it never was late by more than
    /// <see cref="TimerGrain"/>. Whoever judges others by their silence looks here first: after a pause of one's own
    /// their silence means nothing (docs/link-state.md).
    /// </summary>
    long LastPauseNanos { get; }

    /// <summary>Server time at which that pause ended; <see cref="long.MinValue"/> if there was none.</summary>
    long PauseEndedNanos { get; }

    /// <summary>By how much the timers of this server may be late without anything being wrong: 0 in virtual
    /// time.</summary>
    TimeSpan TimerGrain { get; }

    /// <summary>
    /// The clock as it is now, not the step's: nanoseconds on the scale of <see cref="IServer.NowNanos"/>, but it moves
    /// on within a callback, and also while the machine is suspended (on Linux; elsewhere as far as the system's own
    /// clock does), so that it is ahead of <see cref="IServer.NowNanos"/> by all such times. Never backwards within a
    /// run. For those who must not be wrong about what happened meanwhile: whoever may act until a time looks at what
    /// it acts on first and at this clock afterwards, because a thread may stand still between any two lines. The
    /// simulator can let a server stand still in front of a reading. Costs some 30 ns; <see cref="IServer.NowNanos"/>
    /// is the one to use for everything else.
    /// </summary>
    long ReadClock();

    /// <summary>Runs after the present callback, in order. Never runs inline.</summary>
    void Post(Action<object?> work, object? state);

    /// <summary>Starts asynchronous work; awaits of this server's primitives resume on its loop in deterministic order.
    /// An exception is a fault of the service. A foreign task that completes on another thread is brought back to the
    /// loop; in simulation it is refused.</summary>
    void Run(Func<ValueTask> work);

    /// <summary>
    /// Gives an agent of this service a place in the loop. Its first turn comes after <see cref="ILoopSeat.Wake"/>. It
    /// ends with the instance of the service, which may also end it before by <see cref="ILoopSeat.Leave"/>; what it
    /// throws is a fault of the service.
    /// </summary>
    /// <param name="agent">The agent.</param>
    /// <returns>The place, or null where the loop cannot wait for descriptors: not Linux, virtual time, a shim that
    /// does not know how, a service that is stopping.</returns>
    ILoopSeat? TryJoin(IServerAgent agent);
}
