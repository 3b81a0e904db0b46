namespace CamCube.Shim.Udp.Sealing;

/// <summary>What a datagram turned out to be.</summary>
internal enum OpenResult
{
    /// <summary>A genuine frame, for whoever is above.</summary>
    Frame,

    /// <summary>Genuine, and for the channel alone.</summary>
    Taken,

    /// <summary>Not genuine, or an old one played again. It changed nothing.</summary>
    Unauthenticated,

    /// <summary>It looks like a handshake with another cluster key. It changed nothing.</summary>
    OtherKey,

    /// <summary>It looks like another version of the protocol. It changed nothing.</summary>
    OtherVersion,

    /// <summary>Genuine, but from a port that does not belong at the other end
    /// (<see cref="SecureChannel.PeerLink"/>).</summary>
    OtherLink,

    /// <summary>More handshakes than are looked at. Not looked at.</summary>
    TooMany,
}
