namespace CamCube.Messaging;

/// <summary>What became of a wish for a stream.</summary>
public enum StreamOpen : byte
{
    /// <summary>It is open: bytes may be written at once.</summary>
    Ok = 0,

    /// <summary>No way to the destination is known now.</summary>
    NoRoute = 1,

    /// <summary>As many connections or streams are open as the options allow, or there is no memory for
    /// <see cref="StreamParameters.LeastCredit"/>.</summary>
    Full = 2,

    /// <summary>The endpoint has not started, or has stopped.</summary>
    Closed = 3,

    /// <summary>Streams do not go there: it is none of the cube, or not at the other end of the cable that
    /// <see cref="StreamPaths.Via"/> names.</summary>
    Unsupported = 4,
}
