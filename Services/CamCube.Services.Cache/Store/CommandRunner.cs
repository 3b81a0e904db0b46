namespace CamCube.Services.Cache.Store;

/// <summary>memcached's commands on the store of one server, with the semantics of memcached 1.6.18. Loop
/// only.</summary>
internal sealed class CommandRunner(ItemStore store, CacheCounters counters, CasTokens tokens, int maxValueLength)
{
    /// <summary>Does one command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="group">Where a stored item belongs.</param>
    /// <param name="nowTicks">UTC now.</param>
    /// <param name="value">The value that was read, if any: it may be referred to for ever, but never changed.</param>
    public CacheReply Run(in Command command, ItemGroup group, long nowTicks, out byte[]? value)
    {
        value = null;
        switch (command.Operation)
        {
            case CacheOperation.Get:
            case CacheOperation.GetAndTouch:
                return Read(command, nowTicks, out value);
            case CacheOperation.Delete:
                return Delete(command, nowTicks);
            case CacheOperation.Touch:
                return Touch(command, nowTicks);
            case CacheOperation.Increment:
            case CacheOperation.Decrement:
                return Count(command, group, nowTicks);
            default:
                return Write(command, group, nowTicks);
        }
    }

    private CacheReply Read(in Command command, long nowTicks, out byte[]? value)
    {
        value = null;
        bool touches = command.Operation == CacheOperation.GetAndTouch;
        counters[touches ? CacheCount.CmdTouch : CacheCount.CmdGet].Add();
        Item? item = store.Find(command.MemId, command.ClientKey, nowTicks, out bool expired);
        if (item is null)
        {
            counters[touches ? CacheCount.TouchMisses : CacheCount.GetMisses].Add();
            if (expired)
            {
                counters[CacheCount.GetExpired].Add();
            }

            return new CacheReply(CacheStatus.NotFound);
        }

        counters[touches ? CacheCount.TouchHits : CacheCount.GetHits].Add();
        item.WasRead = true;
        store.Touch(item);
        value = item.Value;
        var reply = new CacheReply(CacheStatus.Done, item.Flags, item.Cas);
        if (touches)
        {
            SetExpiry(item, command.Expiry, nowTicks);
        }

        return reply;
    }

    private CacheReply Delete(in Command command, long nowTicks)
    {
        if (store.Find(command.MemId, command.ClientKey, nowTicks, out _) is not { } item)
        {
            counters[CacheCount.DeleteMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        if (command.Cas != 0 && command.Cas != item.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        counters[CacheCount.DeleteHits].Add();
        store.Remove(item);
        return new CacheReply(CacheStatus.Done, Cas: tokens.Next());
    }

    private CacheReply Touch(in Command command, long nowTicks)
    {
        counters[CacheCount.CmdTouch].Add();
        if (store.Find(command.MemId, command.ClientKey, nowTicks, out _) is not { } item)
        {
            counters[CacheCount.TouchMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        if (command.Cas != 0 && command.Cas != item.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        counters[CacheCount.TouchHits].Add();
        var reply = new CacheReply(CacheStatus.Done, item.Flags, item.Cas);
        store.Touch(item);
        SetExpiry(item, command.Expiry, nowTicks);
        return reply;
    }

    private CacheReply Count(in Command command, ItemGroup group, long nowTicks)
    {
        bool up = command.Operation == CacheOperation.Increment;
        if (store.Find(command.MemId, command.ClientKey, nowTicks, out _) is not { } item)
        {
            counters[up ? CacheCount.IncrMisses : CacheCount.DecrMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        if (command.Cas != 0 && command.Cas != item.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        if (!DecimalText.TryParse(item.Value, out ulong number))
        {
            return new CacheReply(CacheStatus.NotANumber);
        }

        counters[up ? CacheCount.IncrHits : CacheCount.DecrHits].Add();
        number = up ? unchecked(number + command.Delta) : number - Math.Min(number, command.Delta);
        (uint flags, long expires) = (item.Flags, item.ExpiresTicks);
        byte[] value = DecimalText.Format(number, item.Value.Length);
        return Keep(item, command, value, group, flags, expires) with { Number = number };
    }

    private CacheReply Write(in Command command, ItemGroup group, long nowTicks)
    {
        counters[CacheCount.CmdSet].Add();
        Item? old = store.Find(command.MemId, command.ClientKey, nowTicks, out _);
        if (Refusal(command, old) is { } refusal)
        {
            return refusal;
        }

        if (command.Operation is CacheOperation.Append or CacheOperation.Prepend)
        {
            return Lengthen(command, old!, group);
        }

        if (command.IsTooLarge || command.Value.Length > maxValueLength)
        {
            // As memcached: better no value than one that the client believes to be replaced.
            if (old is not null && command.Operation == CacheOperation.Set)
            {
                store.Remove(old);
            }

            return new CacheReply(CacheStatus.TooLarge);
        }

        if (command.Operation == CacheOperation.CompareAndSwap)
        {
            counters[CacheCount.CasHits].Add();
        }

        long expires = ItemExpiry.ToTicks(command.Expiry, nowTicks);
        if (expires <= nowTicks)
        {
            // Stored, and expired at once: only what was there goes.
            if (old is not null)
            {
                store.Remove(old);
            }

            counters[CacheCount.TotalItems].Add();
            return new CacheReply(CacheStatus.Done, Cas: tokens.Next());
        }

        return Keep(old, command, command.Value.ToArray(), group, command.Flags, expires);
    }

    private CacheReply? Refusal(in Command command, Item? old)
    {
        bool cas = command.Operation == CacheOperation.CompareAndSwap;
        switch (command.Operation)
        {
            case CacheOperation.Add when old is not null:
                store.Touch(old);
                return new CacheReply(CacheStatus.NotStored);
            case CacheOperation.Replace or CacheOperation.Append or CacheOperation.Prepend when old is null:
                return new CacheReply(CacheStatus.NotStored);
            case CacheOperation.CompareAndSwap when old is null:
                counters[CacheCount.CasMisses].Add();
                return new CacheReply(CacheStatus.NotFound);
            case CacheOperation.Set when old is null && command.Cas != 0:
                return new CacheReply(CacheStatus.NotFound);
        }

        if ((cas || command.Cas != 0) && old is not null && old.Cas != command.Cas)
        {
            if (cas)
            {
                counters[CacheCount.CasBadval].Add();
            }

            return new CacheReply(CacheStatus.Exists);
        }

        return null;
    }

    private CacheReply Lengthen(in Command command, Item old, ItemGroup group)
    {
        long length = (long)old.Value.Length + command.Value.Length;
        if (command.IsTooLarge || length > maxValueLength)
        {
            // memcached says so, too, and keeps the old value.
            return new CacheReply(CacheStatus.NotStored);
        }

        byte[] value = GC.AllocateUninitializedArray<byte>((int)length);
        bool append = command.Operation == CacheOperation.Append;
        ReadOnlySpan<byte> first = append ? old.Value : command.Value, second = append ? command.Value : old.Value;
        first.CopyTo(value);
        second.CopyTo(value.AsSpan(first.Length));
        return Keep(old, command, value, group, old.Flags, old.ExpiresTicks);
    }

    private CacheReply Keep(Item? old, in Command command, byte[] value, ItemGroup group, uint flags, long expiresTicks)
    {
        if (store.Put(old, command.MemId, command.ClientKey, value, group) is not { } item)
        {
            return new CacheReply(CacheStatus.OutOfMemory);
        }

        if (command.Operation is not (CacheOperation.Increment or CacheOperation.Decrement))
        {
            counters[CacheCount.TotalItems].Add();
        }

        (item.Flags, item.Cas) = (flags, tokens.Next());
        store.SetExpiry(item, expiresTicks);
        return new CacheReply(CacheStatus.Done, flags, item.Cas);
    }

    private void SetExpiry(Item item, long expiry, long nowTicks)
    {
        long expires = ItemExpiry.ToTicks(expiry, nowTicks);
        if (expires <= nowTicks)
        {
            store.Remove(item);
        }
        else
        {
            store.SetExpiry(item, expires);
        }
    }
}
