namespace CamCube.Services.Cache;

/// <summary>Marks of an item, as it was before the operation, and what the operation won.</summary>
[Flags]
public enum CacheItemMarks : byte
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>It was read since it was stored.</summary>
    WasRead = 1,

    /// <summary>It is stale: replaced with an older token, or invalidated.</summary>
    IsStale = 2,

    /// <summary>This client is the one that is to store it anew.</summary>
    HasWon = 4,

    /// <summary>Another client is about to store it anew.</summary>
    IsWinOut = 8,

    /// <summary>The operation made it (<see cref="CacheTermOptions.Vivify"/>).</summary>
    IsNew = 16,

    /// <summary>Its key is bytes (<see cref="CacheTermOptions.BinaryKey"/>).</summary>
    HasBinaryKey = 32,
}
