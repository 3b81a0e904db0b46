namespace CamCube.Shim.Ethernet.Settings;

/// <summary>Who calls the system (<c>Threads</c>).</summary>
internal enum PortThreads
{
    /// <summary>The server's own loop, for all links.</summary>
    Loop,

    /// <summary>A thread per link and direction (HPDC §2.2).</summary>
    PerLink,
}
