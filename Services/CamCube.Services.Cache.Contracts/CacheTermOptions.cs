namespace CamCube.Services.Cache;

/// <summary>What an operation does besides: what memcached's meta and binary protocols can ask for.</summary>
[Flags]
public enum CacheTermOptions : ushort
{
    /// <summary>Nothing besides.</summary>
    None = 0,

    /// <summary>
    /// If there is no such item: a read makes an empty one with <see cref="CacheTerms.VivifyExpiry"/>, incr and decr
    /// one with <see cref="CacheTerms.Initial"/> and that expiry, append and prepend one with the value. Who made it by
    /// a read has won (<see cref="CacheItemMarks.HasWon"/>).
    /// </summary>
    Vivify = 1,

    /// <summary>A read wins if the item expires in less than <see cref="CacheTerms.RecacheSeconds"/> and nobody has won
    /// before.</summary>
    Recache = 2,

    /// <summary>Delete: the item stays, is stale and has a new token. A set with <see cref="CacheTerms.Cas"/>: a token
    /// older than the item's is no failure, the item is replaced and stale.</summary>
    Invalidate = 4,

    /// <summary>Does not count as a use: the item is not marked as read and keeps its place in the order of
    /// eviction.</summary>
    KeepAge = 8,

    /// <summary><see cref="CacheTerms.Expiry"/> is set by operations that would leave it: delete with
    /// <see cref="Invalidate"/>, incr, decr.</summary>
    SetExpiry = 16,

    /// <summary>The key is bytes, and shown as base64; kept with the item.</summary>
    BinaryKey = 32,

    /// <summary>A read of which only the facts are wanted: the value is not written and does not travel.</summary>
    WithoutValue = 64,

    /// <summary>
    /// A read of a stale item wins if nobody has won before, as memcached's meta get does and its other reads do not.
    /// Implied by <see cref="Vivify"/> and <see cref="Recache"/>.
    /// </summary>
    WinStale = 128,
}
