namespace CamCube;

/// <summary>Why a service stops on a server.</summary>
public enum StopReason
{
    /// <summary>The server shuts down.</summary>
    Shutdown = 0,

    /// <summary>It threw.</summary>
    Fault = 1,

    /// <summary>It was removed from this server while the server goes on.</summary>
    Removed = 2,

    /// <summary>Others remember a later run of this server, so its clock was set back: it begins anew with a later
    /// <see cref="IServer.Incarnation"/>.</summary>
    Outdated = 3,

    /// <summary>Other code takes its place on this server, which goes on; nothing of this instance is kept.</summary>
    Replaced = 4,
}
