namespace CamCube.Runtime.Workers;

/// <summary>Where a job is at its lane.</summary>
internal enum JobPhase
{
    /// <summary>Not there.</summary>
    Idle,

    /// <summary>It waits for a thread.</summary>
    Waiting,

    /// <summary>A thread does it.</summary>
    Running,

    /// <summary>A thread does it, and nobody waits for it any more.</summary>
    Lost,
}
