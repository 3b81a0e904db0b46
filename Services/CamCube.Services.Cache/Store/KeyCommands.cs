using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>Commands that need a key and no value: delete, invalidate, touch. Loop only.</summary>
internal sealed class KeyCommands(ItemStore store, CacheCounters counters, CasTokens tokens)
{
    /// <summary>Removes an item, or leaves it stale.</summary>
    public CacheReply Delete(in Command command, uint now)
    {
        uint item = store.Find(command, now, out _);
        if (item == 0)
        {
            counters[CacheCount.DeleteMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        ref ItemHeader header = ref store[item];
        if (command.Terms.Cas != 0 && command.Terms.Cas != header.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        if (command.Has(CacheTermOptions.Invalidate))
        {
            return Invalidate(command, item, now);
        }

        counters[CacheCount.DeleteHits].Add();
        store.Ledger.Of(item).DeleteHits++;
        CacheItemFacts facts = ItemFacts.Of(store, item, now, ItemFacts.IdleSeconds(header, now), header.Marks);
        store.Remove(item);
        return new CacheReply(CacheStatus.Done, Cas: tokens.Next()) { Facts = facts };
    }

    /// <summary>Sets the expiry.</summary>
    public CacheReply Touch(in Command command, uint now)
    {
        counters[CacheCount.CmdTouch].Add();
        uint item = store.Find(command, now, out _);
        if (item == 0)
        {
            counters[CacheCount.TouchMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        ref ItemHeader header = ref store[item];
        if (command.Terms.Cas != 0 && command.Terms.Cas != header.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        counters[CacheCount.TouchHits].Add();
        store.Ledger.Of(item).TouchHits++;
        (uint idle, CacheItemMarks marks) = (ItemFacts.IdleSeconds(header, now), header.Marks);
        store.SetExpiry(item, ItemExpiry.ToSeconds(command.Terms.Expiry, now));
        if (!command.Has(CacheTermOptions.KeepAge))
        {
            // memcached's touch counts as a read.
            header.Marks |= CacheItemMarks.WasRead;
            store.Touch(item, now);
        }

        return new CacheReply(CacheStatus.Done, header.Flags, header.Cas)
        {
            Facts = ItemFacts.Of(store, item, now, idle, marks),
        };
    }

    // The next read that may win does: whoever won before works on what is now too old.
    private CacheReply Invalidate(in Command command, uint item, uint now)
    {
        ref ItemHeader header = ref store[item];
        CacheItemMarks marks = header.Marks;
        if (command.Has(CacheTermOptions.SetExpiry))
        {
            store.SetExpiry(item, ItemExpiry.ToSeconds(command.Terms.Expiry, now));
        }

        header.Marks = (header.Marks | CacheItemMarks.IsStale) & ~CacheItemMarks.IsWinOut;
        header.Cas = tokens.Next();
        return new CacheReply(CacheStatus.Done, header.Flags, header.Cas)
        {
            Facts = ItemFacts.Of(store, item, now, ItemFacts.IdleSeconds(header, now), marks),
        };
    }
}
