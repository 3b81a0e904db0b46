namespace CamCube.Workers;

/// <summary>Whether a program was started.</summary>
public enum ProgramStatus
{
    /// <summary>It runs.</summary>
    Started = 0,

    /// <summary>As many wait as may (<see cref="ProgramsOptions.QueueLimit"/>).</summary>
    Busy = 1,

    /// <summary>The caller gave it up.</summary>
    Cancelled = 2,

    /// <summary>The caller's share of the programs is closed.</summary>
    Stopped = 3,

    /// <summary>What is asked for cannot be started, here and now or later: no such program, none that can be run, no
    /// such user.</summary>
    Refused = 4,

    /// <summary>Nothing can be started here now: no memory, processes or descriptors are left, or it is not
    /// Linux.</summary>
    Unavailable = 5,
}
