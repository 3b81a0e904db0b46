namespace CamCube.Services.Images.Worker.Sandbox;

/// <summary>What the filter says to a system call.</summary>
internal enum CallRule
{
    /// <summary>EPERM.</summary>
    Refuse,

    /// <summary>ENOSYS: the C library then uses the older call, whose arguments the filter can see.</summary>
    Unknown,

    /// <summary>Allowed if the first argument has CLONE_THREAD.</summary>
    ThreadsOnly,

    /// <summary>Allowed if the second argument's flags only read.</summary>
    ReadOnlyAtSecond,

    /// <summary>Allowed if the third argument's flags only read.</summary>
    ReadOnlyAtThird,

    /// <summary>Allowed if the first argument is this process, or 0.</summary>
    SelfOnly,
}
