namespace CamCube.Linux;

/// <summary>What a <see cref="Poller"/> is to look for and has seen; the values are epoll's.</summary>
[Flags]
public enum PollEvents
{
    /// <summary>Errors only, which are always told.</summary>
    None = 0,

    /// <summary>Something can be read.</summary>
    Readable = 1,

    /// <summary>Something can be written.</summary>
    Writable = 4,

    /// <summary>An error is waiting to be read.</summary>
    Error = 8,

    /// <summary>The other side is gone.</summary>
    HangUp = 16,

    /// <summary>Tells a change once, whether or not it is dealt with.</summary>
    EdgeTriggered = unchecked((int)0x80000000),
}
