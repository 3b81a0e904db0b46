namespace CamCube.Services.Cache;

/// <summary>How a cache operation ended.</summary>
public enum CacheStatus : byte
{
    /// <summary>Done: stored, deleted, touched; or found, with the value written.</summary>
    Done = 0,

    /// <summary>There is no such item (get, delete, touch, incr, decr, cas).</summary>
    NotFound = 1,

    /// <summary>The condition of add, replace, append or prepend was not met.</summary>
    NotStored = 2,

    /// <summary>compare-and-swap: the item changed since it was read.</summary>
    Exists = 3,

    /// <summary>incr or decr of a value that is not a decimal number.</summary>
    NotANumber = 4,

    /// <summary>Larger than the largest item.</summary>
    TooLarge = 5,

    /// <summary>No memory for it at the root.</summary>
    OutOfMemory = 6,

    /// <summary>The root did not answer in time. A read was retried before; whether a change was made is not
    /// known.</summary>
    TimedOut = 7,

    /// <summary>This server is cut off from the majority of the cube, or stopping: nothing was changed.</summary>
    Unavailable = 8,

    /// <summary>The key has no bytes, or more than 250: nothing was done.</summary>
    BadKey = 9,

    /// <summary>Of a key that the key-value store keeps: the store cannot do it now. It does not run here, too few of
    /// the servers that keep the key answer, or others change the key all the time. Nothing was changed, but perhaps
    /// the expiry that a read was to set.</summary>
    StoreUnavailable = 10,

    /// <summary>Not possible with a key that the key-value store keeps: nothing was done.</summary>
    NotForStore = 11,
}
