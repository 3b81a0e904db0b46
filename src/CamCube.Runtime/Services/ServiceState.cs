namespace CamCube.Runtime.Services;

/// <summary>State of a service on one server.</summary>
public enum ServiceState
{
    /// <summary>Gets packets.</summary>
    Running = 0,

    /// <summary>Threw; waits for its restart. Packets on their way pass by base routing.</summary>
    Faulted = 1,

    /// <summary>Stays stopped.</summary>
    Stopped = 2,
}
