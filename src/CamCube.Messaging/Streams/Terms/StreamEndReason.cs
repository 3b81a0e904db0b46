namespace CamCube.Messaging;

/// <summary>How a stream ended.</summary>
public enum StreamEndReason : byte
{
    /// <summary>It has not.</summary>
    None = 0,

    /// <summary>Both sides have written all, and all of it has arrived and was consumed.</summary>
    Finished = 1,

    /// <summary>The peer aborted it; <see cref="StreamEnd.Code"/> is its word.</summary>
    Reset = 2,

    /// <summary>The peer reads no more; <see cref="StreamEnd.Code"/> is its word.</summary>
    Stopped = 3,

    /// <summary>The peer cannot be reached, or says that it does not know the connection.</summary>
    PeerLost = 4,

    /// <summary>The peer, or its service, has begun anew: what it knew of the stream is gone.</summary>
    PeerRestarted = 5,

    /// <summary>The peer is there by the view, and does not answer.</summary>
    PeerSilent = 6,

    /// <summary>The key that the stream was opened to has another root.</summary>
    RootMoved = 7,

    /// <summary>The peer did not want it.</summary>
    Refused = 8,

    /// <summary>This side aborted it, or its service ended.</summary>
    Closed = 9,

    /// <summary>The peer sent what cannot be.</summary>
    Malformed = 10,
}
