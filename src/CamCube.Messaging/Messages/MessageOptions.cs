namespace CamCube.Messaging;

/// <summary>Limits and times of one <see cref="MessageChannel{THeader}"/>. A service sets them from its own
/// options.</summary>
public sealed class MessageOptions
{
    /// <summary>Longest message, in bytes. Default 1 MiB and 4 KiB. A longer one is a programming error at the sender
    /// and dropped at the receiver.</summary>
    public int MaxLength { get; set; } = (1 << 20) + (1 << 12);

    /// <summary>Bytes that half-arrived messages of one server may take. Default 32 MiB. Less: under load pieces are
    /// refused and callers try again.</summary>
    public int AssemblyBytes { get; set; } = 32 << 20;

    /// <summary>Half-arrived messages of one sender. Default 32. More: one sender may take the memory of all.</summary>
    public int HalfArrivedPerSender { get; set; } = 32;

    /// <summary>Half-arrived messages in all. Default 512.</summary>
    public int HalfArrived { get; set; } = 512;

    /// <summary>Messages that wait for their turn to be sent. Default 4,096; more are refused, as if lost.</summary>
    public int Waiting { get; set; } = 4_096;

    /// <summary>Bytes of sent messages that are kept for repair; the oldest are forgotten first. Default 64
    /// MiB.</summary>
    public int KeptBytes { get; set; } = 64 << 20;

    /// <summary>Pieces that a sender sends unasked; of longer messages the rest comes as the receiver grants it. The
    /// same on all servers. Default 16.</summary>
    public int PushedPieces { get; set; } = 16;

    /// <summary>Pieces that a receiver has granted at once and that are not here yet, of all messages. Default 128: as
    /// many as fill all links over the diameter of a cube, and no queue overflows.</summary>
    public int GrantedPieces { get; set; } = 128;

    /// <summary>Silence after which a receiver asks for what is missing; doubled with each question that brings
    /// nothing, up to 16 times. Default 20 ms. Shorter: pieces that only wait in a queue are sent twice.</summary>
    public TimeSpan GapTime { get; set; } = TimeSpan.FromMilliseconds(20);

    /// <summary>The same once the last piece has arrived, so that only disorder can explain a gap. Default 4
    /// ms.</summary>
    public TimeSpan TailGapTime { get; set; } = TimeSpan.FromMilliseconds(4);

    /// <summary>Silence after which a half-arrived message is forgotten. Default 2 s.</summary>
    public TimeSpan ExpireTime { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>How long a sender keeps the bytes of a sent message that nobody acknowledged. Default 2 s.</summary>
    public TimeSpan KeepTime { get; set; } = TimeSpan.FromSeconds(2);
}
