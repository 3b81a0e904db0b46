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
    public CacheReply Store(in Command command, ItemGroup group, uint now)
    {
        counters[CacheCount.CmdSet].Add();
        Item? old = store.Find(command.MemId, command.ClientKey, now, out _);
        Decision decision = Decide(command, old, now);
        if (decision > Decision.StoreStale)
        {
            return new CacheReply(decision switch
            {
                Decision.NotStored => CacheStatus.NotStored,
                Decision.NotFound => CacheStatus.NotFound,
                _ => CacheStatus.Exists,
            });
        }

        bool lengthens = command.Terms.Operation is CacheOperation.Append or CacheOperation.Prepend;
        if (lengthens && old is not null)
        {
            return Lengthen(command, old, group, now);
        }

        if (command.IsTooLarge || command.Value.Length > maxValueLength)
        {
            // As memcached: better no value than one that the client believes to be replaced.
            if (old is not null && command.Terms.Operation == CacheOperation.Set)
            {
                store.Remove(old);
            }

            return new CacheReply(CacheStatus.TooLarge);
        }

        CacheItemMarks marks = ItemWriter.BinaryMark(command);
        if (decision == Decision.StoreStale)
        {
            // What is older than an invalidation keeps the life that the invalidation gave, and who has won.
            marks |= CacheItemMarks.IsStale | (old!.Marks & CacheItemMarks.IsWinOut);
            return writer.Write(
                command, old, command.Value.ToArray(), new NewItem(command.Terms.Flags, old.Expires, marks), group, now);
        }

        uint expires = ItemExpiry.ToSeconds(lengthens ? command.Terms.VivifyExpiry : command.Terms.Expiry, now);
        CacheItemMarks won = lengthens ? CacheItemMarks.IsNew : CacheItemMarks.None;
        return ItemExpiry.IsOver(expires, now)
            ? writer.WriteExpired(old)
            : writer.Write(
                command, old, command.Value.ToArray(), new NewItem(command.Terms.Flags, expires, marks), group, now, won);
    }

    private Decision Decide(in Command command, Item? old, uint now)
    {
        switch (command.Terms.Operation)
        {
            case CacheOperation.Add:
                if (old is null)
                {
                    return Decision.Store;
                }

                store.Touch(old, now);
                return Decision.NotStored;
            case CacheOperation.Append or CacheOperation.Prepend:
                if (old is null)
                {
                    return command.Has(CacheTermOptions.Vivify) ? Decision.Store : Decision.NotStored;
                }

                return command.Terms.Cas != 0 && command.Terms.Cas != old.Cas ? Decision.Exists : Decision.Store;
            case CacheOperation.Set or CacheOperation.Replace when command.Terms.Cas == 0:
                return old is null && command.Terms.Operation == CacheOperation.Replace ? Decision.NotStored : Decision.Store;
            default:
                return DecideSwap(command, old);
        }
    }

    private Decision DecideSwap(in Command command, Item? old)
    {
        if (old is null)
        {
            counters[CacheCount.CasMisses].Add();
            return Decision.NotFound;
        }

        ulong cas = command.Terms.Cas;
        if (cas == old.Cas)
        {
            counters[CacheCount.CasHits].Add();
            return Decision.Store;
        }

        if (cas != 0 && cas < old.Cas && command.Has(CacheTermOptions.Invalidate))
        {
            counters[CacheCount.CasHits].Add();
            return Decision.StoreStale;
        }

        counters[CacheCount.CasBadval].Add();
        return Decision.Exists;
    }

    private CacheReply Lengthen(in Command command, Item old, ItemGroup group, uint now)
    {
        long length = (long)old.Value.Length + command.Value.Length;
        if (command.IsTooLarge || length > maxValueLength)
        {
            // memcached says so, too, and keeps the old value.
            return new CacheReply(CacheStatus.NotStored);
        }

        byte[] value = GC.AllocateUninitializedArray<byte>((int)length);
        bool append = command.Terms.Operation == CacheOperation.Append;
        ReadOnlySpan<byte> first = append ? old.Value : command.Value, second = append ? command.Value : old.Value;
        first.CopyTo(value);
        second.CopyTo(value.AsSpan(first.Length));
        CacheItemMarks marks = (old.Marks & CacheItemMarks.HasBinaryKey) | ItemWriter.BinaryMark(command);
        return writer.Write(command, old, value, new NewItem(old.Flags, old.Expires, marks), group, now);
    }
}
