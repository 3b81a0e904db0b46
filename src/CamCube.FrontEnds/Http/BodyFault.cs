namespace CamCube.FrontEnds.Http;

/// <summary>Why a body did not come to its end.</summary>
public enum BodyFault
{
    /// <summary>It did, or is still on its way.</summary>
    None,

    /// <summary>The client went away, or what it sent is no HTTP: a chunk without a length, an end before the length
    /// that it announced.</summary>
    ClientGone,

    /// <summary>The client sent or read less than <see cref="HttpFrontEndOptions.SlowestBody"/> for longer than
    /// <see cref="HttpFrontEndOptions.SlowGrace"/>.</summary>
    TooSlow,

    /// <summary>The client sent more than <see cref="HttpFrontEndOptions.MaxBody"/>.</summary>
    TooLong,

    /// <summary>The service gave it up, or ended.</summary>
    ServiceAborted,

    /// <summary>The port is being closed.</summary>
    ServerStopping,
}
