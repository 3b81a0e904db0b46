namespace CamCube.Services.Images.Pictures.Wire;

/// <summary>How the making of variants ended.</summary>
public enum PictureStatus
{
    /// <summary>All variants are there.</summary>
    Done = 0,

    /// <summary>The library says that it is not of this format (422).</summary>
    NotThisFormat = 1,

    /// <summary>The library cannot decode it (422).</summary>
    Damaged = 2,

    /// <summary>It is larger than the worker takes (422).</summary>
    TooLarge = 3,

    /// <summary>Parser and library see different sizes (422).</summary>
    ParserDiffers = 4,

    /// <summary>It cost a worker its life, now or before: by memory, time or otherwise (422).</summary>
    Killer = 5,

    /// <summary>Too many wait (503, or variants later).</summary>
    Busy = 6,

    /// <summary>No worker can be started on this machine (501); the text says why.</summary>
    Unavailable = 7,

    /// <summary>The caller gave it up, or the pool was closed.</summary>
    Stopped = 8,
}
