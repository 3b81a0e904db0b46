namespace CamCube.Services.Cache;

/// <summary>What a <see cref="CacheRequest"/> asks for. The names are memcached's.</summary>
public enum CacheOperation : byte
{
    /// <summary>Read.</summary>
    Get = 0,

    /// <summary>Read and set the expiry.</summary>
    GetAndTouch = 1,

    /// <summary>Store.</summary>
    Set = 2,

    /// <summary>Store if there is none.</summary>
    Add = 3,

    /// <summary>Store if there is one.</summary>
    Replace = 4,

    /// <summary>Add bytes behind the value; keeps flags and expiry.</summary>
    Append = 5,

    /// <summary>Add bytes before the value; keeps flags and expiry.</summary>
    Prepend = 6,

    /// <summary>Store if the item is unchanged since it was read (<see cref="CacheTerms.Cas"/>).</summary>
    CompareAndSwap = 7,

    /// <summary>Remove.</summary>
    Delete = 8,

    /// <summary>Add to a decimal number; wraps at 2^64.</summary>
    Increment = 9,

    /// <summary>Subtract from a decimal number; stops at 0.</summary>
    Decrement = 10,

    /// <summary>Set the expiry.</summary>
    Touch = 11,

    /// <summary>Learn about an item without using it: it does not count as read, and keeps its place in the order of
    /// eviction.</summary>
    Inspect = 12,
}
