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
}
