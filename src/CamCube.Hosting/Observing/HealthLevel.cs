namespace CamCube.Hosting.Observing;

/// <summary>How bad something is that is not as it should be.</summary>
internal enum HealthLevel
{
    /// <summary>Everything serves, but not as it should: still ready.</summary>
    Degraded = 0,

    /// <summary>A server stands still: clients should go elsewhere.</summary>
    NotReady = 1,

    /// <summary>Only a new start of the process helps.</summary>
    Dead = 2,
}
