namespace CamCube.Services.KeyValue.Log;

/// <summary>How a log was found.</summary>
internal enum LogState
{
    /// <summary>Whole, or new: all that was ever told to be synced is there.</summary>
    Whole = 0,

    /// <summary>Something that may have been told to be synced is not there or not right. What is right was found; the
    /// store has a new id (<see cref="LogOpening.Store"/>), for it cannot keep the promises made under the old
    /// one.</summary>
    Damaged = 1,

    /// <summary>It is not this program's to use: another format, another server's, another store's. Nothing was
    /// changed.</summary>
    Refused = 2,

    /// <summary>The disk does not work. Nothing is known.</summary>
    Unreadable = 3,
}
