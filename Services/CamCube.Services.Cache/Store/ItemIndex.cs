using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// Finds items by the hash of their key: chains of items from buckets of 4 bytes. The table grows by one bucket at a
/// time (linear hashing) and lives in pages of the store, so growing never stops the loop and costs no memory of its
/// own. It does not shrink. Loop only.
/// </summary>
internal sealed class ItemIndex
{
    private const int FirstLevel = 8;

    // Of an item: header, key, and what most values have.
    private const int MostHintBytes = 1_024;
    private readonly PageMemory _memory;
    private readonly Chunks _chunks;
    private readonly KeyHash _hash;
    private readonly List<uint> _segments = [];
    private readonly int _segmentShift;
    private uint _buckets;
    private uint _half;

    public ItemIndex(PageMemory memory, Chunks chunks, KeyHash hash)
    {
        (_memory, _chunks, _hash, _segmentShift) = (memory, chunks, hash, memory.PageShift - 2);
    }

    /// <summary>Items in it.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of its buckets.</summary>
    public long Bytes => _buckets * (long)sizeof(uint);

    /// <summary>Buckets, as a power of two: memcached's number for it.</summary>
    public int Level => _half == 0 ? 0 : System.Numerics.BitOperations.Log2(_half);

    /// <summary>The hash of a key.</summary>
    public ulong HashOf(ReadOnlySpan<byte> key) => _hash.Of(key);

    /// <summary>
    /// An item with this key and group; 0: there is none. An item with the key and another group, which is not to be
    /// found any more, is told; 0: none was met.
    /// </summary>
    public uint Find(ulong hash, ReadOnlySpan<byte> key, ushort group, out uint ended)
    {
        ended = 0;
        if (_buckets == 0)
        {
            return 0;
        }

        uint tag = (uint)(hash >> 32);
        for (uint item = BucketOf(hash); item != 0; )
        {
            ref ItemHeader header = ref _memory.At<ItemHeader>(item);
            if (header.Tag == tag && header.KeyLength == key.Length && KeyOf(item, header).SequenceEqual(key))
            {
                if (header.Group == group)
                {
                    return item;
                }

                ended = item;
            }

            item = header.NextInBucket;
        }

        return 0;
    }

    /// <summary>Brings the first item of a key's bucket, which most likely is the key's, closer to the
    /// processor.</summary>
    public void Prefetch(ReadOnlySpan<byte> key)
    {
        if (_buckets > 0 && BucketOf(_hash.Of(key)) is not 0 and uint item)
        {
            _memory.Prefetch(item, 0, Math.Min(MostHintBytes, _chunks.PagesOf(_chunks.ClassOf(item)).Bytes));
        }
    }

    /// <summary>Brings a key's bucket closer to the processor.</summary>
    public void PrefetchBucket(ReadOnlySpan<byte> key)
    {
        if (_buckets > 0)
        {
            PageMemory.Prefetch(ref BucketOf(_hash.Of(key)));
        }
    }

    /// <summary>The key of an item.</summary>
    public ReadOnlySpan<byte> KeyOf(uint item, in ItemHeader header) =>
        _memory.Bytes(
            item,
            header.Kind == ChunkKind.LongItem ? ItemHeader.Size + sizeof(uint) : ItemHeader.Size,
            header.KeyLength
        );

    /// <summary>Makes the first buckets. False: there is no page.</summary>
    public bool TryOpen()
    {
        if (_buckets == 0 && TryAddSegment())
        {
            (_half, _buckets) = (1u << FirstLevel, 1u << FirstLevel);
            _memory.Bytes(_segments[0], 0, sizeof(uint) << FirstLevel).Clear();
        }

        return _buckets > 0;
    }

    /// <summary>Adds an item whose key is in place, and grows when there are more items than buckets.</summary>
    public void Add(uint item, ulong hash)
    {
        ref ItemHeader header = ref _memory.At<ItemHeader>(item);
        header.Tag = (uint)(hash >> 32);
        ref uint bucket = ref BucketOf(hash);
        header.NextInBucket = bucket;
        bucket = item;
        Count++;

        // Two at a time: a table that had no page for a while catches up.
        for (int i = 0; i < 2 && Count > _buckets; i++)
        {
            Split();
        }
    }

    /// <summary>Takes an item out.</summary>
    public void Remove(uint item)
    {
        PlaceOf(item) = _memory.At<ItemHeader>(item).NextInBucket;
        Count--;
    }

    /// <summary>An item is in another place now, as a whole.</summary>
    public void Move(uint from, uint to) => PlaceOf(from) = to;

    // Where the reference to an item is.
    private ref uint PlaceOf(uint item)
    {
        ref uint place = ref BucketOf(_hash.Of(KeyOf(item, _memory.At<ItemHeader>(item))));
        while (place != item)
        {
            place = ref _memory.At<ItemHeader>(place).NextInBucket;
        }

        return ref place;
    }

    private ref uint BucketOf(ulong hash)
    {
        uint bucket = (uint)hash & ((_half << 1) - 1);
        return ref Bucket(bucket < _buckets ? bucket : bucket & (_half - 1));
    }

    private ref uint Bucket(uint number) =>
        ref _memory.At<uint>(
            _segments[(int)(number >> _segmentShift)],
            (int)(number & ((1u << _segmentShift) - 1)) * sizeof(uint)
        );

    private void Split()
    {
        if (_buckets >> _segmentShift == (uint)_segments.Count && (_chunks.Available < 2 || !TryAddSegment()))
        {
            return;
        }

        ref uint stays = ref Bucket(_buckets - _half);
        ref uint goes = ref Bucket(_buckets);
        (uint item, stays, goes) = (stays, 0, 0);
        while (item != 0)
        {
            ref ItemHeader header = ref _memory.At<ItemHeader>(item);
            uint next = header.NextInBucket;
            ref uint target = ref (((uint)_hash.Of(KeyOf(item, header)) & _half) == 0 ? ref stays : ref goes);
            (header.NextInBucket, target, item) = (target, item, next);
        }

        if (++_buckets == _half << 1)
        {
            _half = _buckets;
        }
    }

    /// <summary>Forgets everything.</summary>
    public void Clear()
    {
        (_buckets, _half, Count) = (0, 0, 0);
        _segments.Clear();
    }

    private bool TryAddSegment()
    {
        int page = _chunks.TakePage();
        if (page < 0)
        {
            return false;
        }

        _segments.Add(_memory.ReferenceOf(page, 0));
        _chunks.InfoOf(page) = default;
        return true;
    }
}
