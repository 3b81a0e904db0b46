namespace CamCube.Hosting.Lifetime.Windows;

/// <summary>Orders of the service manager; numbers of Windows (SERVICE_CONTROL_...).</summary>
internal enum ServiceOrder : uint
{
    /// <summary>Stop.</summary>
    Stop = 1,

    /// <summary>Say how it is.</summary>
    Interrogate = 4,

    /// <summary>The machine goes down.</summary>
    Shutdown = 5,
}
