namespace CamCube.Services.Cache.Store;

/// <summary>A value that was read, in the store's memory. Valid until the next operation on the store.</summary>
internal readonly struct ItemValue(byte[]? bytes)
{
    /// <summary>Whether a value was read at all.</summary>
    public bool IsThere => bytes is not null;

    /// <summary>Its bytes.</summary>
    public int Length => bytes?.Length ?? 0;

    /// <summary>Copies it.</summary>
    public void CopyTo(Span<byte> target) => bytes.CopyTo(target);

    /// <summary>Hands it to a reader.</summary>
    public void GiveTo(ICacheValueReader reader, in CacheReply reply) => reader.TakeValue(reply, bytes, 0);
}
