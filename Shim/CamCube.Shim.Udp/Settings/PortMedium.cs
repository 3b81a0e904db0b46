namespace CamCube.Shim.Udp.Settings;

/// <summary>By what the system is asked to move datagrams (<c>Via</c>).</summary>
internal enum PortMedium
{
    /// <summary>Batches on Linux, .NET's sockets elsewhere.</summary>
    Auto,

    /// <summary>Linux's calls for many datagrams at once.</summary>
    Batches,

    /// <summary>.NET's sockets, a call per datagram.</summary>
    Sockets,
}
