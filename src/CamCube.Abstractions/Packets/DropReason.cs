namespace CamCube;

/// <summary>Why a packet was dropped. Values from 256 belong to the services
/// (<see cref="Verdict.Drop(DropReason)"/>).</summary>
public enum DropReason : ushort
{
    /// <summary>Not dropped.</summary>
    None = 0,

    /// <summary>The service had no use for it.</summary>
    Unwanted = 1,

    /// <summary>Too short for the service's header, or nonsense in a frame.</summary>
    Malformed = 2,

    /// <summary>A frame of another wire version.</summary>
    Version = 3,

    /// <summary>No such service on this server.</summary>
    UnknownService = 4,

    /// <summary>The hop limit, which stops loops.</summary>
    HopLimit = 5,

    /// <summary>No live path to the destination.</summary>
    NoRoute = 6,

    /// <summary>The chosen links are down or absent.</summary>
    LinkDown = 7,

    /// <summary>The limit of an outbound queue.</summary>
    QueueFull = 8,

    /// <summary>Longer than a frame.</summary>
    TooLarge = 9,

    /// <summary>The server's packet budget: everything it may hold is in use.</summary>
    NoBuffer = 10,

    /// <summary>The receive side of a link was full.</summary>
    ReceiveFull = 11,

    /// <summary>The service, or the server, is stopped.</summary>
    Closed = 12,

    /// <summary>The service threw while it had the packet.</summary>
    Fault = 13,

    /// <summary>A service's verdict was Forward at the destination: a bug of the service.</summary>
    ForwardedAtDestination = 14,

    /// <summary>Lost on a simulated cable that was cut, or at a server that was stopped.</summary>
    LostOnCable = 15,

    /// <summary>An older attempt, epoch or version.</summary>
    Stale = 16,

    /// <summary>A frame that nobody of this cube sealed, or an old one played again (UDP).</summary>
    Unauthenticated = 17,

    /// <summary>A frame from a cable whose other end is not the server that belongs there, or has not said yet who it
    /// is.</summary>
    Miscabled = 18,

    /// <summary>For a key while its server does not have its keys yet, and as much of the service waits for them as may
    /// (<see cref="CamCubeServiceAttribute.AwaitKeysBytes"/>).</summary>
    AwaitKeysFull = 19,

    /// <summary>The first reason that belongs to services.</summary>
    FirstOfServices = 256,
}
