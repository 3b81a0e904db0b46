namespace CamCube.Services.Messenger;

/// <summary>What became of a move.</summary>
public enum MoveStatus : byte
{
    /// <summary>The other server has the name; this endpoint is over.</summary>
    Moved = 0,

    /// <summary>Nobody there waits for it (<see cref="EndpointOptions.IsStandby"/>), or the server does not answer.
    /// </summary>
    NotTaken = 1,

    /// <summary>The other side may have it: no answer came to the last question. Whoever has the larger term keeps it;
    /// this endpoint learns of it.</summary>
    Unknown = 2,

    /// <summary>The name is not this endpoint's (any more), or it is moving.</summary>
    NotOwned = 3,

    /// <summary>The server is this one, or none of the cube.</summary>
    Invalid = 4,
}
