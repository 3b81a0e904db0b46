namespace CamCube.Workers;

/// <summary>What the programs of a pool have done, in this process.</summary>
/// <param name="Running">Programs that run.</param>
/// <param name="Waiting">Starts that wait for a place.</param>
/// <param name="Started">Programs that were started.</param>
/// <param name="Ended">Programs that have ended.</param>
/// <param name="Failed">Of these, those that ended by a signal or with another code than 0.</param>
/// <param name="Refused">Starts that came to nothing, as the queue was full or the program cannot be started.</param>
/// <param name="KillsAll">Whether all that a program has started ends with it. False: only what has stayed in its
/// process group, as this process may not make control groups.</param>
public readonly record struct ProgramsSummary(
    int Running,
    int Waiting,
    long Started,
    long Ended,
    long Failed,
    long Refused,
    bool KillsAll
);
