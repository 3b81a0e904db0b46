namespace CamCube.Shim.Udp.Ports;

/// <summary>Why the system did not move a datagram, as far as that makes a difference.</summary>
internal enum WireFault
{
    /// <summary>It did.</summary>
    None,

    /// <summary>It takes no more, or has nothing, for now.</summary>
    Again,

    /// <summary>Longer than the interface takes, or than somebody says that the way takes.</summary>
    TooLong,

    /// <summary>What an earlier datagram met at the other end, or a signal: this one was not looked at.</summary>
    Earlier,

    /// <summary>No route, no interface, no buffer: as on a cut cable.</summary>
    Lost,
}
