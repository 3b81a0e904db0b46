namespace CamCube.Services.Cache;

/// <summary>What is to be done with one key, without key and value.</summary>
public readonly record struct CacheTerms
{
    /// <summary>What to do.</summary>
    public CacheOperation Operation { get; init; }

    /// <summary>What to do besides.</summary>
    public CacheTermOptions Options { get; init; }

    /// <summary>The client's 32 flag bits, kept with the item.</summary>
    public uint Flags { get; init; }

    /// <summary>
    /// Expiry as memcached has it: 0 never, 1 to 2,592,000 (30 days) seconds from now, larger a Unix time in seconds,
    /// negative at once. For operations that store or touch.
    /// </summary>
    public long Expiry { get; init; }

    /// <summary>The token of <see cref="CacheReply.Cas"/>, for <see cref="CacheOperation.CompareAndSwap"/> (required)
    /// and, if not 0, as a condition of any other change but add, which ignores it: with it set and replace are
    /// compare-and-swap.</summary>
    public ulong Cas { get; init; }

    /// <summary>What <see cref="CacheOperation.Increment"/> and <see cref="CacheOperation.Decrement"/> add or
    /// subtract.</summary>
    public ulong Delta { get; init; }

    /// <summary>The number that incr and decr begin with (<see cref="CacheTermOptions.Vivify"/>).</summary>
    public ulong Initial { get; init; }

    /// <summary>Expiry, as <see cref="Expiry"/>, of an item that <see cref="CacheTermOptions.Vivify"/> makes.</summary>
    public long VivifyExpiry { get; init; }

    /// <summary>Seconds of <see cref="CacheTermOptions.Recache"/>, read as <see cref="Expiry"/> is: 0 never
    /// wins.</summary>
    public int RecacheSeconds { get; init; }
}
