namespace CamCube.Hosting.Lifetime.Windows;

/// <summary>States of a service; numbers of Windows (SERVICE_...).</summary>
internal enum ServicePhase : uint
{
    /// <summary>It has ended.</summary>
    Stopped = 1,

    /// <summary>It is about to end.</summary>
    StopPending = 3,

    /// <summary>It runs.</summary>
    Running = 4,
}
