namespace CamCube.FrontEnds.Pool;

/// <summary>What a client on pool threads is doing, as far as time limits go.</summary>
internal enum ClientPhase
{
    /// <summary>It agrees on TLS.</summary>
    Handshake,

    /// <summary>It owes the next command.</summary>
    Silent,

    /// <summary>Its commands are in work.</summary>
    Working,

    /// <summary>It has answers to read.</summary>
    Answered,

    /// <summary>It is being closed.</summary>
    Closed,
}
