namespace CamCube.Services.Cache.Store;

/// <summary>Puts items of finished commands into the store. Loop only.</summary>
internal sealed class ItemWriter(ItemStore store, CacheCounters counters, CasTokens tokens)
{
    /// <summary>
    /// Stores an item of a command's key with a new token, in place of the one that is there.
    /// </summary>
    /// <param name="command">The command.</param>
    /// <param name="old">The item that is there.</param>
    /// <param name="value">Its value.</param>
    /// <param name="item">Flags, expiry and marks it gets.</param>
    /// <param name="group">Where it belongs.</param>
    /// <param name="now">The tick.</param>
    /// <param name="won">Marks of the reply that do not stay with the item.</param>
    public CacheReply Write(
        in Command command,
        Item? old,
        byte[] value,
        in NewItem item,
        ItemGroup group,
        uint now,
        CacheItemMarks won = CacheItemMarks.None)
    {
        if (store.Put(old, command.MemId, command.ClientKey, value, group) is not { } put)
        {
            counters[CacheCount.StoreNoMemory].Add();
            return new CacheReply(CacheStatus.OutOfMemory);
        }

        counters[CacheCount.TotalItems].Add(item.IsInPlace ? 0 : 1);
        (put.Flags, put.Cas, put.Marks, put.Used) = (item.Flags, tokens.Next(), item.Marks, now);
        store.SetExpiry(put, item.Expires);
        CacheItemMarks shown = (item.Marks & ~CacheItemMarks.IsWinOut) | won;
        return new CacheReply(CacheStatus.Done, put.Flags, put.Cas) { Facts = ItemFacts.Of(put, now, 0, shown) };
    }

    /// <summary>The answer to a command that stores something that is expired at once: only what was there goes.</summary>
    public CacheReply WriteExpired(Item? old)
    {
        if (old is not null)
        {
            store.Remove(old);
        }

        counters[CacheCount.TotalItems].Add();
        return new CacheReply(CacheStatus.Done, Cas: tokens.Next());
    }

    /// <summary>The mark of a key that is bytes.</summary>
    public static CacheItemMarks BinaryMark(in Command command) =>
        command.Has(CacheTermOptions.BinaryKey) ? CacheItemMarks.HasBinaryKey : CacheItemMarks.None;
}
