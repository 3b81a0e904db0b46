namespace CamCube.Messaging.Streams.Wire;

/// <summary>Why a stream was reset.</summary>
internal enum ResetWhy : byte
{
    /// <summary>Its service aborted it, with a code of its own.</summary>
    Aborted = 0,

    /// <summary>The handler did not want it, or there is no room for it.</summary>
    Refused = 1,

    /// <summary>The server is not root of the stream's key; the frame's offset is the rank of the root that it knows
    /// of.</summary>
    NotRoot = 2,
}
