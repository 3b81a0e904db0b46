namespace CamCube.Messaging;

/// <summary>What a packet of the message library is. 0 is none of them, so a zeroed header is refused.</summary>
public enum MessageKind : byte
{
    /// <summary>No message: malformed.</summary>
    None = 0,

    /// <summary>A piece of a message, possibly the only one.</summary>
    Piece = 1,

    /// <summary>Receiver to sender: the body is a bitmap of pieces that are missing, bit 0 of byte 0 is
    /// <see cref="MessageHeader.Piece"/>. </summary>
    Missing = 2,

    /// <summary>Receiver to sender: the message is whole, the bytes may be forgotten.</summary>
    Complete = 3,

    /// <summary>Sender to receiver: the bytes are gone, what is there of the message may be forgotten.</summary>
    Gone = 4,

    /// <summary>Receiver to sender: pieces up to and with <see cref="MessageHeader.Piece"/> may come.</summary>
    Grant = 5,
}
