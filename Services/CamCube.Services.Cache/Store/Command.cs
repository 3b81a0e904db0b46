namespace CamCube.Services.Cache.Store;

/// <summary>One operation as the root does it: nothing in it outlives the call.</summary>
internal readonly ref struct Command
{
    public CacheOperation Operation { get; init; }

    public Key MemId { get; init; }

    public ReadOnlySpan<byte> ClientKey { get; init; }

    public ReadOnlySpan<byte> Value { get; init; }

    public uint Flags { get; init; }

    public long Expiry { get; init; }

    public ulong Cas { get; init; }

    public ulong Delta { get; init; }

    /// <summary>The value was larger than the largest item and did not travel: a set removes what is there and
    /// fails.</summary>
    public bool IsTooLarge { get; init; }
}
