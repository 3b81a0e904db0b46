using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>What is counted of a store's items: bytes, expiries, by size class and by size, and how they went. Loop
/// only.</summary>
internal sealed class ItemLedger(ItemChunks items, ItemIndex index, Chunks chunks, CacheCounters counters)
{
    private readonly ClassTally[] _classes = new ClassTally[chunks.Sizes.Count];
    private SizeTally? _sizes;

    /// <summary>Bytes of all items: headers, keys, values.</summary>
    public long Bytes { get; private set; }

    /// <summary>Items that have an expiry.</summary>
    public int Expiring { get; private set; }

    /// <summary>Whether items are told by size. Once begun they are counted for ever: an end and a new beginning lose
    /// nothing.</summary>
    public bool TracksSizes
    {
        get;
        set
        {
            field = value;
            _sizes ??= value ? new SizeTally() : null;
        }
    }

    /// <summary>Items by size; null: they are not told.</summary>
    public SizeTally? Sizes => TracksSizes ? _sizes : null;

    /// <summary>What is counted for the class of an item.</summary>
    public ref ClassTally Of(uint item) => ref _classes[chunks.ClassOf(item)];

    /// <summary>What is counted for a class.</summary>
    public ref ClassTally OfClass(int number) => ref _classes[number];

    /// <summary>An item is complete and in its place.</summary>
    public void NoteAdded(uint item)
    {
        ref ItemHeader header = ref items[item];
        long bytes = BytesOf(header);
        Bytes += bytes;
        ref ClassTally tally = ref Of(item);
        tally.Items++;
        tally.Requested += bytes;
        _sizes?.Add(ref header, bytes);
        Report();
    }

    /// <summary>An item goes.</summary>
    public void NoteRemoved(uint item)
    {
        ref ItemHeader header = ref items[item];
        long bytes = BytesOf(header);
        Bytes -= bytes;
        ref ClassTally tally = ref Of(item);
        tally.Items--;
        tally.Requested -= bytes;
        _sizes?.Remove(ref header, bytes);
    }

    /// <summary>An item gets a value of another length, which is set here.</summary>
    public void NoteResized(uint item, int length)
    {
        ref ItemHeader header = ref items[item];
        int more = length - header.Length;
        _sizes?.Remove(ref header, BytesOf(header));
        header.Length = length;
        _sizes?.Add(ref header, BytesOf(header));
        Bytes += more;
        Of(item).Requested += more;
        Report();
    }

    /// <summary>Sets when an item expires.</summary>
    public void SetExpiry(ref uint place, uint expires)
    {
        Expiring += (expires != ItemExpiry.Never ? 1 : 0) - (place != ItemExpiry.Never ? 1 : 0);
        place = expires;
    }

    /// <summary>An item of an ended group was asked for by its key; of a key that has another item, too, that is no
    /// miss.</summary>
    public void NoteAskedEnded(bool hasAnother) => counters[CacheCount.GetFlushed].Add(hasAnother ? 0 : 1);

    /// <summary>An item goes because its group has ended; by flush_all that is reclaiming, as in memcached.</summary>
    public void NoteEnded(uint item, bool isFlush)
    {
        Of(item).Reclaimed += isFlush ? 1 : 0;
        counters[isFlush ? CacheCount.Reclaimed : CacheCount.ItemsDropped].Add();
    }

    /// <summary>An item goes because it met its end.</summary>
    public void NoteExpired(uint item)
    {
        bool wasRead = (items[item].Marks & CacheItemMarks.WasRead) != 0;
        ref ClassTally tally = ref Of(item);
        tally.Reclaimed++;
        tally.ExpiredUnfetched += wasRead ? 0 : 1;
        counters[CacheCount.Reclaimed].Add();
        counters[CacheCount.ExpiredUnfetched].Add(wasRead ? 0 : 1);
    }

    /// <summary>An item goes for want of memory.</summary>
    public void NoteEvicted(uint item, uint now)
    {
        ref ItemHeader header = ref items[item];
        bool wasRead = (header.Marks & CacheItemMarks.WasRead) != 0;
        ref ClassTally tally = ref Of(item);
        tally.Evicted++;
        tally.EvictedNonzero += header.Expires == ItemExpiry.Never ? 0 : 1;
        tally.EvictedUnfetched += wasRead ? 0 : 1;
        tally.EvictedSeconds = now - Math.Min(now, header.Used);
        counters[CacheCount.Evictions].Add();
        counters[CacheCount.EvictedUnfetched].Add(wasRead ? 0 : 1);
    }

    /// <summary>Tells the levels.</summary>
    public void Report()
    {
        counters[CacheCount.CurrItems].Set(index.Count);
        counters[CacheCount.Bytes].Set(Bytes);
    }

    private static long BytesOf(in ItemHeader header) => ItemChunks.BytesOf(header.KeyLength, header.Length);
}
