namespace CamCube.Messaging.Streams.Wire;

/// <summary>Why a connection is closed.</summary>
internal enum CloseReason : byte
{
    /// <summary>Its sender knows of no such connection.</summary>
    Unknown = 0,

    /// <summary>Its sender's service ends.</summary>
    Stopping = 1,

    /// <summary>Nothing was open on it.</summary>
    Idle = 2,

    /// <summary>Its sender was sent what cannot be.</summary>
    Malformed = 3,

    /// <summary>Its sender has no room for another connection.</summary>
    Full = 4,
}
