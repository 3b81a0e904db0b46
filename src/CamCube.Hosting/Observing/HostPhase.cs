namespace CamCube.Hosting.Observing;

/// <summary>Where in its life a host is.</summary>
internal enum HostPhase
{
    /// <summary>Not everything runs yet.</summary>
    Starting = 0,

    /// <summary>Everything runs.</summary>
    Ready = 1,

    /// <summary>It ends.</summary>
    Stopping = 2,

    /// <summary>Everything runs, but this server found a cube that its own map contradicts, and takes part in
    /// nothing.</summary>
    Refusing = 3,

    /// <summary>An error has ended the loops of its servers; the process ends with exit code 1.</summary>
    Failed = 4,
}
