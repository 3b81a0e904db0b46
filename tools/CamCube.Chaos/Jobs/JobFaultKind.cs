namespace CamCube.Chaos.Jobs;

/// <summary>What is done while a job runs.</summary>
public enum JobFaultKind
{
    /// <summary>The server that leads the job is killed, and started again later.</summary>
    KillTracker,

    /// <summary>A server with a reduce is killed, and started again later.</summary>
    KillRoot,

    /// <summary>A server with input is killed, and started again later.</summary>
    KillMapper,

    /// <summary>A server through which pairs go, and which has neither input nor reduce, is killed, and started again
    /// later.</summary>
    KillRelay,

    /// <summary>A server's process stands still for a while.</summary>
    Stop,

    /// <summary>A cable of a root is cut in one of three ways, and mended later.</summary>
    Cut,

    /// <summary>A server's disk has no room for a while.</summary>
    Fill,
}
