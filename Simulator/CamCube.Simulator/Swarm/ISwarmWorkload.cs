using CamCube.Runtime.Services;
using CamCube.Simulator.Checkers;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// Work on services that the simulator does not know, done during a swarm run: clients of the cache, for example. All
/// members on the thread that drives the cube, between advances.
/// </summary>
public interface ISwarmWorkload
{
    /// <summary>The services it needs on every server.</summary>
    IReadOnlyList<ServiceDefinition> Services { get; }

    /// <summary>What it checks.</summary>
    IReadOnlyList<Checker> Checkers { get; }

    /// <summary>Whether nothing that it began is still going on.</summary>
    bool IsIdle { get; }

    /// <summary>
    /// Asked before a fault of disks begins at a server (those of <see cref="SwarmOptions.IsOnlyAsked"/> but the pause
    /// at the clock): false, and it does not. For promises that bear only so many damaged disks at a time. The answer
    /// must follow from the run alone.
    /// </summary>
    bool MayHarm(int rank, FaultKind kind) => true;

    /// <summary>Whether a service of it was right to throw: what the simulator did to its server leaves it nothing
    /// else, and it is to be started again.</summary>
    /// <param name="fault">The service, the server, and what was thrown.</param>
    bool MayThrow(string fault) => false;

    /// <summary>The cube stands.</summary>
    void Begin(SwarmCube cube);

    /// <summary>Looks at what has ended, and begins new work if it may. Once per virtual millisecond.</summary>
    void Step(bool mayBegin);

    /// <summary>From now on nothing is done to the cube any more, and it has to settle; false: it is again.</summary>
    void StandStill(bool isStill) { }

    /// <summary>All is over, and the cube still stands: what must be left of the work, or not.</summary>
    void Finish() { }

    /// <summary>Adds what it counted.</summary>
    void AddTo(SwarmTally tally);
}
