namespace CamCube.Services.Cache.Store;

/// <summary>Commands that need a key and no value: delete, invalidate, touch. Loop only.</summary>
internal sealed class KeyCommands(ItemStore store, CacheCounters counters, CasTokens tokens)
{
    /// <summary>Removes an item, or leaves it stale.</summary>
    public CacheReply Delete(in Command command, uint now)
    {
        if (store.Find(command.MemId, command.ClientKey, now, out _) is not { } item)
        {
            counters[CacheCount.DeleteMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        if (command.Terms.Cas != 0 && command.Terms.Cas != item.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        if (command.Has(CacheTermOptions.Invalidate))
        {
            return Invalidate(command, item, now);
        }

        counters[CacheCount.DeleteHits].Add();
        CacheItemFacts facts = ItemFacts.Of(item, now, ItemFacts.IdleSeconds(item, now), item.Marks);
        store.Remove(item);
        return new CacheReply(CacheStatus.Done, Cas: tokens.Next()) { Facts = facts };
    }

    /// <summary>Sets the expiry.</summary>
    public CacheReply Touch(in Command command, uint now)
    {
        counters[CacheCount.CmdTouch].Add();
        if (store.Find(command.MemId, command.ClientKey, now, out _) is not { } item)
        {
            counters[CacheCount.TouchMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        if (command.Terms.Cas != 0 && command.Terms.Cas != item.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        counters[CacheCount.TouchHits].Add();
        (uint idle, CacheItemMarks marks) = (ItemFacts.IdleSeconds(item, now), item.Marks);
        store.SetExpiry(item, ItemExpiry.ToSeconds(command.Terms.Expiry, now));
        if (!command.Has(CacheTermOptions.KeepAge))
        {
            // memcached's touch counts as a read.
            item.Marks |= CacheItemMarks.WasRead;
            store.Touch(item, now);
        }

        return new CacheReply(CacheStatus.Done, item.Flags, item.Cas) { Facts = ItemFacts.Of(item, now, idle, marks) };
    }

    // The next read that may win does: whoever won before works on what is now too old.
    private CacheReply Invalidate(in Command command, Item item, uint now)
    {
        CacheItemMarks marks = item.Marks;
        if (command.Has(CacheTermOptions.SetExpiry))
        {
            store.SetExpiry(item, ItemExpiry.ToSeconds(command.Terms.Expiry, now));
        }

        item.Marks = (item.Marks | CacheItemMarks.IsStale) & ~CacheItemMarks.IsWinOut;
        item.Cas = tokens.Next();
        return new CacheReply(CacheStatus.Done, item.Flags, item.Cas)
        {
            Facts = ItemFacts.Of(item, now, ItemFacts.IdleSeconds(item, now), marks),
        };
    }
}
