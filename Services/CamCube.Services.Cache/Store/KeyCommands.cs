using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>Commands that need a key and no value: delete, invalidate, touch. Loop only.</summary>
internal sealed class KeyCommands(ItemStore store, CacheCounters counters, CasTokens tokens)
{
    /// <summary>Removes an item, or leaves it stale.</summary>
    public CacheReply Delete(in Command command, uint now)
    {
        if (!TryFind(command, now, CacheCount.DeleteMisses, out uint item, out CacheReply refusal))
        {
            return refusal;
        }

        ref ItemHeader header = ref store[item];
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
        if (!TryFind(command, now, CacheCount.TouchMisses, out uint item, out CacheReply refusal))
        {
            return refusal;
        }

        ref ItemHeader header = ref store[item];
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

    // The item of a command, if there is one and it is the one that was meant.
    private bool TryFind(in Command command, uint now, CacheCount misses, out uint item, out CacheReply refusal)
    {
        refusal = default;
        item = store.Find(command, now, out _);
        if (item == 0)
        {
            counters[misses].Add();
            refusal = new CacheReply(CacheStatus.NotFound);
        }
        else if (command.Terms.Cas != 0 && command.Terms.Cas != store[item].Cas)
        {
            refusal = new CacheReply(CacheStatus.Exists);
            return false;
        }

        return item != 0;
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
