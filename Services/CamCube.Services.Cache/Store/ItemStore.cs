using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// The values of one server in memory: found by the client's key, bounded in bytes with all tables, least recently used
/// out first whatever their size, expired ones out when they are met or swept. Items are references into native pages;
/// one is valid until the next <see cref="Put"/>, removal or reclamation. Knows nothing of commands, roots or packets.
/// Loop only.
/// </summary>
internal sealed class ItemStore : IDisposable
{
    private readonly PageMemory _memory;
    private readonly Chunks _chunks;
    private readonly ItemChunks _items;
    private readonly ItemIndex _index;
    private readonly UseOrder _order;
    private readonly GroupNumbers _groups = new();
    private readonly Reclaimer _reclaimer;
    private readonly ItemSweeper _sweeper;
    private bool _isDisposed;

    /// <param name="limitBytes">Most bytes of memory, tables and headers included.</param>
    /// <param name="hash">The hash of its table.</param>
    /// <param name="counters">What is counted.</param>
    /// <param name="isEvicting">Whether items go for others when memory is full.</param>
    public ItemStore(long limitBytes, KeyHash hash, CacheCounters counters, bool isEvicting = true)
    {
        (LimitBytes, IsEvicting) = (limitBytes, isEvicting);
        _memory = new PageMemory(limitBytes);
        _chunks = new Chunks(_memory, new SizeClasses(_memory));
        _items = new ItemChunks(_memory, _chunks);
        _index = new ItemIndex(_memory, _chunks, hash);
        _order = new UseOrder(_items);
        Ledger = new ItemLedger(_items, _index, _chunks, counters);
        _reclaimer = new Reclaimer(this, _memory, _chunks, _items, _index, _order);
        _sweeper = new ItemSweeper(this, _groups, new ItemWalk(_memory, _chunks));
    }

    /// <summary>Items, including those of ended groups that were not reaped yet.</summary>
    public int Count => _index.Count;

    /// <summary>What is counted of items.</summary>
    public ItemLedger Ledger { get; }

    /// <summary>Bytes that everything may take. While <see cref="IsShrinking"/> it takes more.</summary>
    public long LimitBytes { get; private set; }

    /// <summary>Whether it still has more memory than it may.</summary>
    public bool IsShrinking => !_isDisposed && _chunks.Limit > LimitBytes >> _memory.PageShift;

    /// <summary>Whether items go for others when memory is full.</summary>
    public bool IsEvicting { get; }

    /// <summary>Bytes of pages: what the system has given, and not got back.</summary>
    public long ResidentBytes => (long)_chunks.HeldPages << _memory.PageShift;

    /// <summary>Bytes of the table.</summary>
    public long IndexBytes => _index.Bytes;

    /// <summary>Size of the table as a power of two.</summary>
    public int IndexLevel => _index.Level;

    /// <summary>Whether any item has an expiry, so that sweeping makes sense.</summary>
    public bool HasExpiring => !_isDisposed && Ledger.Expiring > 0;

    /// <summary>Whether items of ended groups are still in memory.</summary>
    public bool HasEnded => !_isDisposed && _groups.HasEnded;

    /// <summary>The item that was not used for longest; 0: none.</summary>
    public uint Oldest => _order.Oldest;

    /// <summary>The item that was used last; 0: none.</summary>
    public uint Newest => _order.Newest;

    /// <summary>Chunks and pages, for what is told of them.</summary>
    public Chunks Chunks => _chunks;

    /// <summary>The header of an item.</summary>
    public ref ItemHeader this[uint item] => ref _items[item];

    /// <summary>The hash of a key.</summary>
    public ulong HashOf(ReadOnlySpan<byte> key) => _index.HashOf(key);

    /// <summary>A command on this key comes soon: what it needs is brought closer to the processor.</summary>
    public void Hint(ReadOnlySpan<byte> key) => _index.Prefetch(key);

    /// <summary><see cref="Hint"/> with this key comes soon.</summary>
    public void Announce(ReadOnlySpan<byte> key) => _index.PrefetchBucket(key);

    /// <summary>The item of a command's key, if it is there, alive and not expired; else 0. An expired one is removed
    /// and reported.</summary>
    public uint Find(in Command command, uint now, out bool expired)
    {
        expired = false;
        uint item = _index.Find(command.Hash, command.ClientKey, command.Group.Number, out uint ended);
        if (ended != 0)
        {
            Ledger.NoteAskedEnded(item != 0);
            RemoveEnded(ended);
        }

        if (item == 0)
        {
            return 0;
        }

        if (!ItemExpiry.IsOver(_items[item].Expires, now))
        {
            return item;
        }

        expired = true;
        RemoveExpired(item);
        return 0;
    }

    /// <summary>The key of an item. Valid as long as the item's reference.</summary>
    public ReadOnlySpan<byte> KeyOf(uint item) => _index.KeyOf(item, _items[item]);

    /// <summary>The value of an item, which is about to be read. Valid as long as the item's reference.</summary>
    public ItemValue ValueOf(uint item)
    {
        _items.Prefetch(item);
        return new ItemValue(_items, item);
    }

    /// <summary>The first stretch of a value, all of it if it is short.</summary>
    public Span<byte> FirstOf(uint item) => _items.First(item, out _);

    /// <summary>Bytes of memory of an item.</summary>
    public int MemoryOf(uint item) => _items.MemoryOf(item);

    /// <summary>Size class of an item.</summary>
    public int ClassOf(uint item) => _chunks.ClassOf(item);

    /// <summary>Marks an item as used now.</summary>
    public void Touch(uint item, uint now)
    {
        _items[item].Used = now;
        _order.Touch(item);
    }

    /// <summary>
    /// Stores an item of a command's key in place of the one that is there, and makes room for it. 0: there is no
    /// memory, and nothing was changed.
    /// </summary>
    /// <param name="command">The command with key and value.</param>
    /// <param name="item">What it gets besides.</param>
    /// <param name="old">The one that is there; 0: none. Not valid any more afterwards.</param>
    /// <param name="joining">How old and new value are put together.</param>
    /// <param name="now">The tick.</param>
    public uint Put(in Command command, in NewItem item, uint old, Joining joining, uint now)
    {
        int length = command.Value.Length + (joining == Joining.None ? 0 : _items[old].Length);
        long bytes = ItemChunks.BytesOf(command.ClientKey.Length, length);
        if (old != 0 && joining == Joining.None && FitsInPlace(old, bytes))
        {
            return Rewrite(old, command, item, now);
        }

        if (_isDisposed || !_groups.TryNumber(command.Group) || !_index.TryOpen())
        {
            return 0;
        }

        if (old != 0)
        {
            // Room is not made at its cost; but where it lies may change.
            _order.Renew(old);
        }

        if (_reclaimer.MakeRoom(bytes, now) && old != 0)
        {
            old = _index.Find(command.Hash, command.ClientKey, command.Group.Number, out _);
            if (old == 0 && joining != Joining.None)
            {
                return 0;
            }
        }

        uint put = _items.Allocate(command.ClientKey, length);
        if (put == 0)
        {
            Ledger.OfClass(_chunks.Sizes.Choose((int)bytes)).OutOfMemory++;
            return 0;
        }

        _items.Write(put, joining == Joining.After ? length - command.Value.Length : 0, command.Value);
        if (joining != Joining.None)
        {
            _items.Join(put, joining == Joining.After ? 0 : command.Value.Length, old);
        }

        if (old != 0)
        {
            Remove(old);
        }

        ref ItemHeader header = ref _items[put];
        (header.Group, header.Flags, header.Marks, header.Used) = (command.Group.Number, item.Flags, item.Marks, now);
        SetExpiry(put, item.Expires);
        _index.Add(put, command.Hash);
        _order.Add(put);
        Ledger.NoteAdded(put);
        return put;
    }

    /// <summary>Sets when an item expires.</summary>
    public void SetExpiry(uint item, uint expires) => Ledger.SetExpiry(ref _items[item].Expires, expires);

    /// <summary>Takes an item out.</summary>
    public void Remove(uint item)
    {
        SetExpiry(item, ItemExpiry.Never);
        Ledger.NoteRemoved(item);
        _index.Remove(item);
        _order.Remove(item);
        _items.Free(item);
        Ledger.Report();
    }

    /// <summary>Takes an item out that met its end.</summary>
    public void RemoveExpired(uint item)
    {
        Ledger.NoteExpired(item);
        Remove(item);
    }

    /// <summary>Takes an item of an ended group out.</summary>
    public void RemoveEnded(uint item)
    {
        Ledger.NoteEnded(item, _groups.IsFlushed(_items[item].Group));
        Remove(item);
    }

    /// <summary>Takes an item out for want of memory.</summary>
    public void Evict(uint item, uint now)
    {
        ref ItemHeader header = ref _items[item];
        if (_groups.IsEnded(header.Group))
        {
            RemoveEnded(item);
        }
        else if (ItemExpiry.IsOver(header.Expires, now))
        {
            RemoveExpired(item);
        }
        else
        {
            Ledger.NoteEvicted(item, now);
            Remove(item);
        }
    }

    /// <summary>Whether an item is not to be found any more: its group has ended, or it is expired.</summary>
    public bool IsDead(uint item, uint now) => IsEnded(item) || ItemExpiry.IsOver(_items[item].Expires, now);

    /// <summary>Whether an item is of an ended group.</summary>
    public bool IsEnded(uint item) => _groups.IsEnded(_items[item].Group);

    /// <summary>Makes all items of a group invisible at once.</summary>
    /// <param name="group">The group.</param>
    /// <param name="isFlush">By flush_all: as in memcached what it removes counts as reclaimed, not as dropped.</param>
    public void End(ItemGroup group, bool isFlush = false) => _groups.End(group, isFlush);

    /// <summary>Looks at so many chunks, round and round, and removes what is of ended groups or expired. Returns how
    /// many of ended groups it removed.</summary>
    public int Reap(int most, uint now) => _sweeper.Look(most, now).Ended;

    /// <summary>The same, of which only expired items count.</summary>
    public int Sweep(int most, uint now) => _sweeper.Look(most, now).Expired;

    /// <summary>
    /// Changes how much everything may take: more at once, less by and by (<see cref="Shrink"/>). False: more than
    /// references can tell apart, or less than twice the table, which does not shrink.
    /// </summary>
    public bool TrySetLimit(long bytes)
    {
        if (_isDisposed || bytes > _memory.MostBytes || bytes < 2 * IndexBytes)
        {
            return false;
        }

        LimitBytes = bytes;
        _chunks.Grow((int)(bytes >> _memory.PageShift));
        return true;
    }

    /// <summary>Takes steps towards a lower limit. False: it cannot go on, because what is there may not be
    /// evicted.</summary>
    public bool Shrink(int steps, uint now) => _reclaimer.TryShrink((int)(LimitBytes >> _memory.PageShift), steps, now);

    /// <summary>Gives all memory back: no item is found any more, and none can be stored.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        _index.Clear();
        _order.Clear();
        _memory.Dispose();
    }

    private bool FitsInPlace(uint item, long bytes) =>
        _items[item].Kind == ChunkKind.Item
        && bytes <= _memory.PageBytes / 8
        && _chunks.Sizes.Choose((int)bytes) == _chunks.ClassOf(item);

    private uint Rewrite(uint item, in Command command, in NewItem with, uint now)
    {
        ref ItemHeader header = ref _items[item];
        Ledger.NoteResized(item, command.Value.Length);
        (header.Flags, header.Marks) = (with.Flags, with.Marks);
        command.Value.CopyTo(_items.First(item, out _));
        SetExpiry(item, with.Expires);
        Touch(item, now);
        return item;
    }
}
