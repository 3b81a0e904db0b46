using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Cubes;

/// <summary>
/// The servers that this process runs: a whole simulated cube, or one server of a real one. What a host starts, stops
/// and shows. Members may be called from any thread.
/// </summary>
public interface ICube : IAsyncDisposable
{
    /// <summary>Axis sizes.</summary>
    TorusShape Shape { get; }

    /// <summary>Name of the shim that moves the frames.</summary>
    string Shim { get; }

    /// <summary>Ranks of the servers in this process, ascending.</summary>
    IReadOnlyList<int> LocalRanks { get; }

    /// <summary>Whether servers and cables can be stopped, started, cut and mended from here: true for a simulated
    /// cube.</summary>
    bool CanControl { get; }

    /// <summary>What is known of the cabling; null where cables are simulated, or where the links do not
    /// look.</summary>
    CablingReport? Cabling => null;

    /// <summary>The gate of a local server; it stays valid when the server stops and starts.</summary>
    IServerGate GateOf(int rank);

    /// <summary>Starts the loops. Returns when they run.</summary>
    ValueTask StartAsync(CancellationToken cancel);

    /// <summary>
    /// Looks from outside at the loop that drives the servers, without its help: it may hang. Whoever looks every few
    /// milliseconds learns which callback runs long. One thread at a time.
    /// </summary>
    /// <param name="nanos">That thread's own time, which stands still while it does.</param>
    LoopSight LookAtLoop(long nanos);

    /// <summary>Lets whoever looks at the loop sleep while it does. Null: this cube's loop cannot; look every few
    /// milliseconds.</summary>
    /// <param name="after">How long the loop is awake at most before it rings.</param>
    ILoopAlarm? CreateAlarm(TimeSpan after) => null;

    /// <summary>Makes the loop turn once more if it only sleeps.</summary>
    void NudgeLoop();

    /// <summary>
    /// Completes when the loops have ended because they were told to, or could not start. An error that is neither a
    /// service's nor an agent's ends them, too: then with that exception, and no server of this process runs any more.
    /// </summary>
    Task Ended { get; }

    /// <summary>Stops all servers and ends the loops. An error that ended them before is told by <see cref="Ended"/>
    /// alone.</summary>
    ValueTask StopAsync(CancellationToken cancel);

    /// <summary>Stops one server as if its power failed. Nothing to do if it is stopped.</summary>
    ValueTask StopServerAsync(int rank);

    /// <summary>Starts a stopped server with empty memory. Nothing to do if it runs.</summary>
    ValueTask StartServerAsync(int rank);

    /// <summary>Starts a service of a server that does not run: one that threw, or was stopped. Done if it runs
    /// already.</summary>
    ValueTask<CommandResult> StartServiceAsync(int rank, string service);

    /// <summary>
    /// Puts other code in the places of services of a server: the old instances stop
    /// (<see cref="StopReason.Replaced"/>), the new ones start with empty state. If one of them does not start, all of
    /// the old ones start again. A stopped server will start with the new ones.
    /// </summary>
    /// <param name="rank">The server.</param>
    /// <param name="next">Each with id and name of a service that the server has.</param>
    ValueTask<ReplaceResult> ReplaceServicesAsync(int rank, IReadOnlyList<ServiceDefinition> next);

    /// <summary>Cuts the cable (both directions) on a link of a server.</summary>
    ValueTask CutCableAsync(int rank, Link link);

    /// <summary>Mends it.</summary>
    ValueTask MendCableAsync(int rank, Link link);

    /// <summary>All counters and states as they are now, read from outside the loops.</summary>
    CubeStatus GetStatus();
}
