namespace CamCube;

/// <summary>What a loop looks for at a descriptor, and what it has seen; the values are epoll's.</summary>
[Flags]
public enum LoopEvents
{
    /// <summary>Errors only, which are always told.</summary>
    None = 0,

    /// <summary>Something can be read, or somebody can be accepted.</summary>
    Readable = 1,

    /// <summary>Bytes out of band have come: what is received at once may end before them.</summary>
    Urgent = 2,

    /// <summary>Something can be written.</summary>
    Writable = 4,

    /// <summary>An error is waiting to be read.</summary>
    Error = 8,

    /// <summary>The other side is gone.</summary>
    HangUp = 16,

    /// <summary>The other side sends no more; told only if it was asked for.</summary>
    PeerEnded = 0x2000,

    /// <summary>Asks to be told once of each change, and not again while it lasts: who is told has to remember
    /// it.</summary>
    EdgeTriggered = unchecked((int)0x80000000),
}
