namespace CamCube.Services.Messenger;

/// <summary>Where an endpoint is in its life.</summary>
public enum EndpointState : byte
{
    /// <summary>Its name is asked for.</summary>
    Opening = 0,

    /// <summary>It waits for one of its name on another server to move here (<see cref="EndpointOptions.IsStandby"/>).
    /// </summary>
    Standby = 1,

    /// <summary>The name is its own: it gets messages.</summary>
    Owned = 2,

    /// <summary>The name is another's.</summary>
    NameLost = 3,

    /// <summary>It went to another server.</summary>
    Moved = 4,

    /// <summary>It was closed, or the messenger has stopped.</summary>
    Closed = 5,
}
