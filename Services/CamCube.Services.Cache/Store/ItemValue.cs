namespace CamCube.Services.Cache.Store;

/// <summary>A value that was read, in the store's memory. Valid until the next operation on the store.</summary>
internal readonly struct ItemValue(ItemChunks? items, uint item)
{
    /// <summary>Whether a value was read at all.</summary>
    public bool IsThere => items is not null;

    /// <summary>Its bytes.</summary>
    public int Length => items is null ? 0 : items[item].Length;

    /// <summary>Copies it.</summary>
    public void CopyTo(Span<byte> target) => items!.CopyTo(item, target[..Length]);

    /// <summary>Hands it to a reader.</summary>
    public void GiveTo(ICacheValueReader reader, in CacheReply reply)
    {
        Span<byte> stretch = items!.First(item, out uint next);
        int offset = 0;
        reader.TakeValue(reply, stretch, 0);
        while (next != 0)
        {
            offset += stretch.Length;
            stretch = items.Next(next, out next);
            reader.TakeValue(reply, stretch, offset);
        }
    }
}
