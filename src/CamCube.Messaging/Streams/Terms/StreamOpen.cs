namespace CamCube.Messaging;

/// <summary>What became of a wish for a stream.</summary>
public enum StreamOpen : byte
{
    /// <summary>It is open: bytes may be written at once.</summary>
    Ok = 0,

    /// <summary>No way to the destination is known now.</summary>
    NoRoute = 1,

    /// <summary>As many connections or streams are open as the options allow.</summary>
    Full = 2,

    /// <summary>The endpoint has not started, or has stopped.</summary>
    Closed = 3,

    /// <summary>Streams do not go there: it is this very server, or none of the cube.</summary>
    Unsupported = 4,
}
