using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>Commands that store a value: set, add, replace, append, prepend, compare-and-swap. Loop only.</summary>
internal sealed class StoreCommands(ItemStore store, CacheCounters counters, ItemWriter writer, int maxValueLength)
{
    private enum Decision : byte
    {
        Store,
        StoreStale,
        NotStored,
        NotFound,
        Exists,
    }

    /// <summary>Stores the command's value if its condition is met.</summary>
    public CacheReply Store(in Command command, uint now)
    {
        counters[CacheCount.CmdSet].Add();
        uint old = store.Find(command, now, out _);
        Decision decision = Decide(command, old, now);
        if (decision > Decision.StoreStale)
        {
            return new CacheReply(
                decision switch
                {
                    Decision.NotStored => CacheStatus.NotStored,
                    Decision.NotFound => CacheStatus.NotFound,
                    _ => CacheStatus.Exists,
                }
            );
        }

        bool lengthens = command.Terms.Operation is CacheOperation.Append or CacheOperation.Prepend;
        if (lengthens && old != 0)
        {
            return Lengthen(command, old, now);
        }

        if (command.IsTooLarge || command.Value.Length > maxValueLength)
        {
            // As memcached: better no value than one that the client believes to be replaced.
            if (old != 0 && command.Terms.Operation == CacheOperation.Set)
            {
                store.Remove(old);
            }

            return new CacheReply(CacheStatus.TooLarge);
        }

        CacheItemMarks marks = ItemWriter.BinaryMark(command);
        if (decision == Decision.StoreStale)
        {
            // What is older than an invalidation keeps the life that the invalidation gave, and who has won.
            marks |= CacheItemMarks.IsStale | (store[old].Marks & CacheItemMarks.IsWinOut);
            return Write(command, old, new NewItem(command.Terms.Flags, store[old].Expires, marks), now);
        }

        uint expires = ItemExpiry.ToSeconds(lengthens ? command.Terms.VivifyExpiry : command.Terms.Expiry, now);
        CacheItemMarks won = lengthens ? CacheItemMarks.IsNew : CacheItemMarks.None;
        return Write(command, old, new NewItem(command.Terms.Flags, expires, marks), now, won);
    }

    private CacheReply Write(
        in Command command,
        uint old,
        in NewItem item,
        uint now,
        CacheItemMarks won = CacheItemMarks.None
    )
    {
        CacheReply reply = writer.Write(command, old, item, now, won: won);
        if (reply.Status == CacheStatus.Done)
        {
            store.Ledger.OfClass(reply.Facts.SizeClass).SetCommands++;
        }
        else if (store.Find(command, now, out _) is not 0 and uint left)
        {
            // Better no value than one that the client believes to be replaced.
            store.Remove(left);
        }

        return reply;
    }

    private Decision Decide(in Command command, uint old, uint now)
    {
        switch (command.Terms.Operation)
        {
            case CacheOperation.Add:
                if (old == 0)
                {
                    return Decision.Store;
                }

                store.Touch(old, now);
                return Decision.NotStored;
            case CacheOperation.Append or CacheOperation.Prepend:
                if (old == 0)
                {
                    return command.Has(CacheTermOptions.Vivify) ? Decision.Store : Decision.NotStored;
                }

                return command.Terms.Cas != 0 && command.Terms.Cas != store[old].Cas ? Decision.Exists : Decision.Store;
            case CacheOperation.Set or CacheOperation.Replace when command.Terms.Cas == 0:
                return old == 0 && command.Terms.Operation == CacheOperation.Replace
                    ? Decision.NotStored
                    : Decision.Store;
            default:
                return DecideSwap(command, old);
        }
    }

    private Decision DecideSwap(in Command command, uint old)
    {
        if (old == 0)
        {
            counters[CacheCount.CasMisses].Add();
            return Decision.NotFound;
        }

        ulong cas = command.Terms.Cas;
        if (cas == store[old].Cas)
        {
            counters[CacheCount.CasHits].Add();
            store.Ledger.Of(old).CasHits++;
            return Decision.Store;
        }

        if (cas != 0 && cas < store[old].Cas && command.Has(CacheTermOptions.Invalidate))
        {
            counters[CacheCount.CasHits].Add();
            store.Ledger.Of(old).CasHits++;
            return Decision.StoreStale;
        }

        counters[CacheCount.CasBadval].Add();
        store.Ledger.Of(old).CasBadval++;
        return Decision.Exists;
    }

    private CacheReply Lengthen(in Command command, uint old, uint now)
    {
        ref ItemHeader header = ref store[old];
        if (command.IsTooLarge || (long)header.Length + command.Value.Length > maxValueLength)
        {
            // memcached says so, too, and keeps the old value.
            return new CacheReply(CacheStatus.NotStored);
        }

        CacheItemMarks marks = (header.Marks & CacheItemMarks.HasBinaryKey) | ItemWriter.BinaryMark(command);
        Joining joining = command.Terms.Operation == CacheOperation.Append ? Joining.After : Joining.Before;
        return writer.Write(command, old, new NewItem(header.Flags, header.Expires, marks), now, joining);
    }
}
