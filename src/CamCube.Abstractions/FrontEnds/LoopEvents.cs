namespace CamCube;

/// <summary>What a loop looks for at a descriptor, and what it has seen; the values are epoll's.</summary>
[Flags]
public enum LoopEvents
{
    /// <summary>Errors only, which are always told.</summary>
    None = 0,

    /// <summary>Something can be read, or somebody can be accepted.</summary>
    Readable = 1,

    /// <summary>Something can be written.</summary>
    Writable = 4,

    /// <summary>An error is waiting to be read.</summary>
    Error = 8,

    /// <summary>The other side is gone.</summary>
    HangUp = 16,
}
