namespace CamCube.Messaging.Streams.Wire;

/// <summary>What a packet of streams is; those of messages have 1 to 15 (<see cref="MessageKind"/>).</summary>
internal enum StreamPacketKind : byte
{
    /// <summary>Opener to acceptor, again and again until it is answered.</summary>
    Hello = 16,

    /// <summary>The answer: both runs are known.</summary>
    Welcome = 17,

    /// <summary>A numbered packet, which is acknowledged.</summary>
    Frames = 18,

    /// <summary>The connection is not, or not any more; the body is a <see cref="CloseReason"/>.</summary>
    Close = 19,

    /// <summary>Acknowledgements only: not numbered and not acknowledged, or two idle ends would talk for
    /// ever.</summary>
    Acks = 20,
}
