namespace CamCube.Messaging.Streams.Wire;

/// <summary>The path of a packet, one byte: the link at its source, whether the connection's opener sent it, whether it
/// had to leave the path, and whether its sender waits for an acknowledgement.</summary>
internal readonly record struct PathWord(byte Bits)
{
    /// <summary>Base routing instead of one link.</summary>
    public const int Routed = 7;

    private const int OpenerBit = 0x80,
        LeftBit = 0x40,
        AsksBit = 0x20,
        LinkMask = 0x07;

    public PathWord(int path, bool fromOpener)
        : this((byte)(path | (fromOpener ? OpenerBit : 0))) { }

    /// <summary>The source link, or <see cref="Routed"/>.</summary>
    public int Path => Bits & LinkMask;

    public bool IsFromOpener => (Bits & OpenerBit) != 0;

    /// <summary>A link of the path was down: on by base routing, so its order among others means nothing.</summary>
    public bool HasLeft => (Bits & LeftBit) != 0;

    /// <summary>Its sender waits for an acknowledgement: of this one, and so of those before it.</summary>
    public bool Asks => (Bits & AsksBit) != 0;

    public bool IsValid => Path != 6;

    /// <summary>The same of one whose sender waits for an acknowledgement.</summary>
    public PathWord Ask() => new((byte)(Bits | AsksBit));

    /// <summary>The same after it had to leave.</summary>
    public PathWord Leave() => new((byte)(Bits | LeftBit));
}
