namespace CamCube.Shim.Udp.Sealing;

/// <summary>What a datagram is: the lower half of its first byte.</summary>
internal enum FrameKind : byte
{
    /// <summary>Handshake, from the + end: a new nonce of its own.</summary>
    Initiate = 1,

    /// <summary>Handshake, from the − end: the other's nonce and one of its own.</summary>
    Respond = 2,

    /// <summary>Handshake, from the + end: both nonces. From now on the − end has new keys.</summary>
    Confirm = 3,

    /// <summary>Handshake, from the − end: asks the + end for a new handshake.</summary>
    Wanted = 4,

    /// <summary>A frame, encrypted; an empty one only says that its keys work.</summary>
    Sealed = 5,
}
