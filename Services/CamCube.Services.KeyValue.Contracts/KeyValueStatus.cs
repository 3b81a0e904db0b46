namespace CamCube.Services.KeyValue;

/// <summary>How an operation of the key-value store ended.</summary>
public enum KeyValueStatus : byte
{
    /// <summary>Done: stored, deleted, or found.</summary>
    Done = 0,

    /// <summary>There is no such key (get, delete).</summary>
    NotFound = 1,

    /// <summary>The key was not as the condition asks. Nothing was changed; the answer has the version that is there, 0
    /// for none.</summary>
    Conflict = 2,

    /// <summary>Key, metadata or value are longer than the longest. Nothing was changed.</summary>
    TooLarge = 3,

    /// <summary>A disk has no room for it. Nothing was changed.</summary>
    Full = 4,

    /// <summary>Too few of the servers that have this key can be reached. Nothing was changed, and nothing will
    /// be.</summary>
    Unavailable = 5,

    /// <summary>The key exists, and no server that has its value answers.</summary>
    DataAway = 6,

    /// <summary>Whether the change was made cannot be said: once, or never, perhaps later.</summary>
    Unknown = 7,

    /// <summary>A batch names keys of different tags. Nothing was changed.</summary>
    CrossGroup = 8,

    /// <summary>The key is empty, or the table is none. Nothing was changed.</summary>
    BadKey = 9,

    /// <summary>A list does not go on from there: the cursor is none, was cut, or is of another list.</summary>
    BadCursor = 10,

    /// <summary>The value that is there is no number of 64 bits in decimal digits. Nothing was changed.</summary>
    NotANumber = 11,

    /// <summary>The sum has no place in 64 bits. Nothing was changed.</summary>
    Overflow = 12,
}
