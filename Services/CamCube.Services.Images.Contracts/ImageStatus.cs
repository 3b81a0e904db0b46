namespace CamCube.Services.Images;

/// <summary>How an operation of the image store ended.</summary>
public enum ImageStatus : byte
{
    /// <summary>Done: stored, deleted, or found.</summary>
    Done = 0,

    /// <summary>There is no such image.</summary>
    NotFound = 1,

    /// <summary>Settings name no such variant.</summary>
    NoSuchVariant = 2,

    /// <summary>What is there is not as the condition asks. Nothing was changed.</summary>
    Conflict = 3,

    /// <summary>It is no name of an image. Nothing was changed.</summary>
    BadName = 4,

    /// <summary>The bytes are no JPEG, PNG, WebP or GIF. Nothing was changed.</summary>
    UnknownType = 5,

    /// <summary>They begin as a picture, and cannot be read as one. Nothing was changed.</summary>
    Undecodable = 6,

    /// <summary>More bytes than a picture may have. Nothing was changed.</summary>
    TooLarge = 7,

    /// <summary>More pixels than a picture may have, or a side that is too long. Nothing was changed.</summary>
    TooManyPixels = 8,

    /// <summary>Too much waits already; nothing was changed. It may be tried again.</summary>
    Busy = 9,

    /// <summary>A disk has no room for it. Nothing was changed.</summary>
    Full = 10,

    /// <summary>Too few of the servers that have this name can be reached. Nothing was changed, and nothing will
    /// be.</summary>
    Unavailable = 11,

    /// <summary>The image exists, and no server that has its bytes answers.</summary>
    DataAway = 12,

    /// <summary>Whether the change was made cannot be said: once, or never, perhaps later.</summary>
    Unknown = 13,

    /// <summary>The server that would make the variant has nothing to make it with.</summary>
    NoWorkers = 14,
}
