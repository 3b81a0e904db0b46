using System.Buffers;

namespace CamCube.Services.Cache;

/// <summary>One operation on one key. Memory in it is lent until the operation ends.</summary>
public readonly record struct CacheRequest
{
    /// <summary>What to do.</summary>
    public CacheOperation Operation { get; init; }

    /// <summary>The client's key: 1 to 250 bytes of any kind. Its SHA-1 is the memId (HPDC §5.1).</summary>
    public ReadOnlyMemory<byte> Key { get; init; }

    /// <summary>The value to store, append or prepend.</summary>
    public ReadOnlyMemory<byte> Value { get; init; }

    /// <summary>The client's 32 flag bits, kept with the item.</summary>
    public uint Flags { get; init; }

    /// <summary>
    /// Expiry as memcached has it: 0 never, 1 to 2,592,000 (30 days) seconds from now, larger a Unix time in seconds, negative at once.
    /// For operations that store or touch.
    /// </summary>
    public long Expiry { get; init; }

    /// <summary>The token of <see cref="CacheReply.Cas"/>, for <see cref="CacheOperation.CompareAndSwap"/> (required) and, if not 0, as a
    /// condition of any other change.</summary>
    public ulong Cas { get; init; }

    /// <summary>What <see cref="CacheOperation.Increment"/> and <see cref="CacheOperation.Decrement"/> add or subtract.</summary>
    public ulong Delta { get; init; }

    /// <summary>Where a value that is read goes: written on the server's loop before the operation ends, only with status Done.</summary>
    public IBufferWriter<byte>? Into { get; init; }
}
