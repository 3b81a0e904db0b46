namespace CamCube.Workers;

/// <summary>Programs of one pool: how many, and how their pipes are served.</summary>
public sealed record ProgramsOptions
{
    /// <summary>Programs at once, 1 to 1,024; 0, the default, means as many as there are processors. More: each has a
    /// thread, up to 2 MiB in pipes of the system, and takes processors from the others.</summary>
    public int Programs { get; init; }

    /// <summary>Starts that may wait in this process; more are <see cref="ProgramStatus.Busy"/>. Default
    /// 1,024.</summary>
    public int QueueLimit { get; init; } = 1_024;

    /// <summary>How long what a program has started may go on with its output after the program itself has ended;
    /// then it is killed. Default 1 s.</summary>
    public TimeSpan OutputGrace { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Whether each program has a control group (cgroup v2), where this process may make them, so that all
    /// that it starts ends with it. Default true. It makes a start some ms later. False: what leaves the
    /// program's process group goes on.</summary>
    public bool ControlGroups { get; init; } = true;

    /// <summary>Bytes of the end of a program's standard error that are kept. Default 64 KiB; 0 to 1 MiB.</summary>
    public int ErrorTail { get; init; } = 64 << 10;

    /// <summary>While pieces below 64 KiB come or go, there is one at most in this time, so that a program that
    /// writes 4 KiB at a time does not cost a wake-up for each. Default 1 ms. 0: each at once. More than some ms: a
    /// fast program waits for its pipes.</summary>
    public TimeSpan Gather { get; init; } = TimeSpan.FromMilliseconds(1);
}
