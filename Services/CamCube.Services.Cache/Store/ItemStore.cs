namespace CamCube.Services.Cache.Store;

/// <summary>
/// The values of one server in memory: found by memId and the client's full key, bounded in bytes, least recently used
/// out first, expired ones out when they are met or swept. Knows nothing of commands, roots or packets. Loop only.
/// </summary>
/// <param name="limitBytes">Most bytes of all items together, each counted as <see cref="Item.CostOf"/>. </param>
/// <param name="counters">What is counted.</param>
internal sealed class ItemStore(long limitBytes, CacheCounters counters)
{
    private readonly Dictionary<Key, Item> _items = [];
    private readonly Queue<ItemGroup> _ended = new();
    private Item? _newest;
    private Item? _oldest;
    private Item? _sweep;
    private int _expiring;

    /// <summary>Items, including those of ended groups that were not reaped yet.</summary>
    public int Count => _items.Count;

    /// <summary>Bytes of these items.</summary>
    public long Bytes { get; private set; }

    /// <summary>Bytes that all items may take.</summary>
    public long LimitBytes { get; } = limitBytes;

    /// <summary>Whether any item has an expiry, so that sweeping makes sense.</summary>
    public bool HasExpiring => _expiring > 0;

    /// <summary>Whether items of ended groups are still in memory.</summary>
    public bool HasEnded => _ended.Count > 0;

    /// <summary>The item, if it is there, alive and not expired. An expired one is removed and reported.</summary>
    public Item? Find(Key memId, ReadOnlySpan<byte> clientKey, uint now, out bool expired)
    {
        expired = false;
        if (!_items.TryGetValue(memId, out Item? item) || !clientKey.SequenceEqual(item.ClientKey))
        {
            return null;
        }

        if (!item.Group.IsAlive)
        {
            counters[CacheCount.GetFlushed].Add();
            return null;
        }

        if (!ItemExpiry.IsOver(item.Expires, now))
        {
            return item;
        }

        expired = true;
        RemoveExpired(item);
        return null;
    }

    /// <summary>Marks an item as used now.</summary>
    public void Touch(Item item, uint now)
    {
        item.Used = now;
        MakeNewest(item);
    }

    private void MakeNewest(Item item)
    {
        if (item == _newest)
        {
            return;
        }

        UnlinkAge(item);
        LinkNewest(item);
    }

    /// <summary>
    /// Stores a value under a key, in place of whatever is there, and makes room for it. Null: it is larger than all
    /// memory; what was there is gone.
    /// </summary>
    /// <param name="old">What <see cref="Find"/> found, if it did.</param>
    /// <param name="memId">The key's memId.</param>
    /// <param name="clientKey">The client's key; copied.</param>
    /// <param name="value">The value; the store keeps the array, nobody writes to it any more.</param>
    /// <param name="group">The group it belongs to.</param>
    public Item? Put(Item? old, Key memId, ReadOnlySpan<byte> clientKey, byte[] value, ItemGroup group)
    {
        long cost = Item.CostOf(clientKey.Length, value.Length);
        if (cost > LimitBytes)
        {
            RemoveAny(memId);
            return null;
        }

        if (old is not null && old.Group == group)
        {
            // The same item with another value: no new objects but the value.
            Bytes += cost - old.Cost;
            old.Value = value;
            old.Marks = CacheItemMarks.None;
            SetExpiry(old, ItemExpiry.Never);
            MakeNewest(old);
            MakeRoom(old);
            Report();
            return old;
        }

        RemoveAny(memId);
        var item = new Item(memId, clientKey.ToArray(), value, group);
        _items.Add(memId, item);
        Bytes += cost;
        LinkNewest(item);
        LinkGroup(item);
        MakeRoom(item);
        Report();
        return item;
    }

    /// <summary>Sets when an item expires.</summary>
    public void SetExpiry(Item item, uint expires)
    {
        _expiring += (expires != ItemExpiry.Never ? 1 : 0) - (item.Expires != ItemExpiry.Never ? 1 : 0);
        item.Expires = expires;
    }

    /// <summary>Takes an item out.</summary>
    public void Remove(Item item)
    {
        _items.Remove(item.MemId);
        Bytes -= item.Cost;
        SetExpiry(item, ItemExpiry.Never);
        UnlinkAge(item);
        UnlinkGroup(item);
        Report();
    }

    /// <summary>Takes an item out that met its end.</summary>
    public void RemoveExpired(Item item)
    {
        counters[CacheCount.Reclaimed].Add();
        if ((item.Marks & CacheItemMarks.WasRead) == 0)
        {
            counters[CacheCount.ExpiredUnfetched].Add();
        }

        Remove(item);
    }

    /// <summary>Makes all items of a group invisible at once.</summary>
    public void End(ItemGroup group)
    {
        if (group.IsAlive)
        {
            group.IsAlive = false;
            _ended.Enqueue(group);
        }
    }

    /// <summary>Gives back the memory of items of ended groups, at most this many. Returns how many.</summary>
    public int Reap(int most)
    {
        int n = 0;
        while (n < most && _ended.TryPeek(out ItemGroup? group))
        {
            if (group.First is { } item)
            {
                Remove(item);
                n++;
            }
            else
            {
                _ended.Dequeue();
            }
        }

        return n;
    }

    /// <summary>Looks at this many items, oldest first and round again, and removes the expired ones. Returns how many
    /// it removed.</summary>
    public int Sweep(int most, uint now)
    {
        int removed = 0;
        for (int i = 0; i < most && _expiring > 0; i++)
        {
            Item? item = _sweep ?? _oldest;
            if (item is null)
            {
                break;
            }

            _sweep = item.Newer;
            if (ItemExpiry.IsOver(item.Expires, now))
            {
                RemoveExpired(item);
                removed++;
            }

            if (_sweep is null)
            {
                break;
            }
        }

        return removed;
    }

    private void Report()
    {
        counters[CacheCount.CurrItems].Set(_items.Count);
        counters[CacheCount.Bytes].Set(Bytes);
    }

    private void MakeRoom(Item keep)
    {
        while (Bytes > LimitBytes && _oldest is { } oldest && oldest != keep)
        {
            if (oldest.Group.IsAlive)
            {
                counters[CacheCount.Evictions].Add();
                if ((oldest.Marks & CacheItemMarks.WasRead) == 0)
                {
                    counters[CacheCount.EvictedUnfetched].Add();
                }
            }

            Remove(oldest);
        }
    }

    private void RemoveAny(Key memId)
    {
        if (_items.TryGetValue(memId, out Item? item))
        {
            Remove(item);
        }
    }

    private void LinkNewest(Item item)
    {
        (item.Older, item.Newer) = (_newest, null);
        if (_newest is not null)
        {
            _newest.Newer = item;
        }

        _newest = item;
        _oldest ??= item;
    }

    private void UnlinkAge(Item item)
    {
        if (_sweep == item)
        {
            _sweep = item.Newer;
        }

        if (item.Newer is { } newer)
        {
            newer.Older = item.Older;
        }
        else
        {
            _newest = item.Older;
        }

        if (item.Older is { } older)
        {
            older.Newer = item.Newer;
        }
        else
        {
            _oldest = item.Newer;
        }

        (item.Newer, item.Older) = (null, null);
    }

    private static void LinkGroup(Item item)
    {
        item.NextInGroup = item.Group.First;
        if (item.Group.First is { } first)
        {
            first.PreviousInGroup = item;
        }

        item.Group.First = item;
    }

    private static void UnlinkGroup(Item item)
    {
        if (item.PreviousInGroup is { } previous)
        {
            previous.NextInGroup = item.NextInGroup;
        }
        else
        {
            item.Group.First = item.NextInGroup;
        }

        if (item.NextInGroup is { } next)
        {
            next.PreviousInGroup = item.PreviousInGroup;
        }

        (item.NextInGroup, item.PreviousInGroup) = (null, null);
    }
}
