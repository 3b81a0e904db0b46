namespace CamCube.Swarm.Histories;

/// <summary>A change of a key of the cache, as the client that asked for it knows it.</summary>
public sealed class CacheChange(ulong id, string key, int length, bool isDelete, long began)
{
    /// <summary>Names it, in the value's first 8 bytes.</summary>
    public ulong Id => id;

    /// <summary>The key.</summary>
    public string Key => key;

    /// <summary>Bytes of the value.</summary>
    public int Length => length;

    /// <summary>Whether it deletes.</summary>
    public bool IsDelete => isDelete;

    /// <summary>Virtual time at which it was asked for.</summary>
    public long Began => began;

    /// <summary>Virtual time after which it is not done any more.</summary>
    public long Ended { get; set; } = long.MaxValue;

    /// <summary>Whether the client heard that it was done.</summary>
    public bool IsAcknowledged { get; set; }

    /// <inheritdoc/>
    public override string ToString() => $"{(isDelete ? "delete" : "set")} {id:x} ({began} to {Ended} ns)";
}
