namespace CamCube.Services.Files;

/// <summary>How an operation of the file store ended.</summary>
public enum FileStatus : byte
{
    /// <summary>Done: stored, deleted, or found.</summary>
    Done = 0,

    /// <summary>There is no such file or directory.</summary>
    NotFound = 1,

    /// <summary>There is such a file, and it has other bytes. Nothing was changed.</summary>
    Exists = 2,

    /// <summary>It is a directory, where a file is wanted. Nothing was changed.</summary>
    IsDirectory = 3,

    /// <summary>It is a file, or one above it is, where a directory is wanted. Nothing was changed.</summary>
    NotDirectory = 4,

    /// <summary>The directory has something in it. Nothing was changed.</summary>
    NotEmpty = 5,

    /// <summary>The path is none: see <see cref="FilePath"/>. Nothing was changed.</summary>
    BadPath = 6,

    /// <summary>The file is longer than the longest. Nothing was changed.</summary>
    TooLarge = 7,

    /// <summary>A disk has no room for it. Nothing was changed.</summary>
    Full = 8,

    /// <summary>The file took longer to come than its chunks are kept without it. Nothing was changed.</summary>
    TooSlow = 9,

    /// <summary>What is there has another version than the one that is to be deleted. Nothing was changed.</summary>
    OtherVersion = 10,

    /// <summary>Too few of the servers that have it can be reached. Nothing was changed, and nothing will be.</summary>
    Unavailable = 11,

    /// <summary>The file exists, and no server that has the bytes answers.</summary>
    DataAway = 12,

    /// <summary>Whether the change was made cannot be said: once, or never, perhaps later.</summary>
    Unknown = 13,

    /// <summary>A list does not go on from there: the cursor is none, was cut, or is of another list.</summary>
    BadCursor = 14,

    /// <summary>Others changed it each time it was tried. Nothing was changed.</summary>
    Busy = 15,

    /// <summary>The files of all would be more than they may be. Nothing was changed.</summary>
    OverQuota = 16,
}
