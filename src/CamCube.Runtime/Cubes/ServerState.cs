namespace CamCube.Runtime.Cubes;

/// <summary>State of a server.</summary>
public enum ServerState
{
    /// <summary>Not running.</summary>
    Stopped = 0,

    /// <summary>Running, but its keys are with others: starting, returning, or cut off from the majority.</summary>
    WithoutKeys = 1,

    /// <summary>Running, with its keys.</summary>
    Running = 2,

    /// <summary>Its loop has ended of an error; <see cref="ServerStatus.Failure"/> says of which.</summary>
    Failed = 3,
}
