namespace CamCube.Simulator.Seeing;

/// <summary>Kinds of <see cref="CubeNote"/>.</summary>
public enum CubeNoteKind
{
    /// <summary>A server was stopped from outside.</summary>
    ServerStopped = 0,

    /// <summary>A server was started again.</summary>
    ServerStarted = 1,

    /// <summary>A cable was cut, one way or both.</summary>
    CableCut = 2,

    /// <summary>A cable was mended.</summary>
    CableMended = 3,

    /// <summary>A service threw.</summary>
    ServiceFaulted = 4,

    /// <summary>A service runs again after a fault.</summary>
    ServiceRestarted = 5,

    /// <summary>A server's own view of the cube changed.</summary>
    ViewChanged = 6,

    /// <summary>A server stands still for a while.</summary>
    ServerPaused = 7,

    /// <summary>A server's clock was set wrong, or right again.</summary>
    ClockSet = 8,

    /// <summary>A fault of a swarm run begins.</summary>
    FaultBegan = 9,

    /// <summary>A fault of a swarm run ends.</summary>
    FaultEnded = 10,
}
