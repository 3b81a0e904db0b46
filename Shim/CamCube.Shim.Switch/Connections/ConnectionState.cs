namespace CamCube.Shim.Switch.Connections;

/// <summary>How far a connection is.</summary>
internal enum ConnectionState
{
    /// <summary>The system is asked for it.</summary>
    Connecting = 0,

    /// <summary>The other end has not said who it is.</summary>
    Greeting = 1,

    /// <summary>It carries frames.</summary>
    Open = 2,

    /// <summary>It is gone.</summary>
    Closed = 3,
}
