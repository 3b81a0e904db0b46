using System.Buffers.Binary;

namespace CamCube.Services.KeyValue.Index;

/// <summary>
/// The keys of one group, in buckets: twice as many whenever they are full. A key's bucket is said by the last bits of
/// its name. Loop only.
/// </summary>
internal sealed class GroupKeys
{
    private const int Nothing = -1;
    private const int Fewest = 4;
    private int[] _first = new int[Fewest];
    private Slot[] _slots = new Slot[Fewest];
    private int _used;
    private int _free = Nothing;

    public GroupKeys() => Array.Fill(_first, Nothing);

    /// <summary>Keys, deleted ones too.</summary>
    public int Count { get; private set; }

    /// <summary>All, in no order. Must not be changed meanwhile.</summary>
    public IEnumerable<KeyValuePair<UInt128, IndexEntry>> All
    {
        get
        {
            foreach (int first in _first)
            {
                for (int at = first; at != Nothing; at = _slots[at].Next)
                {
                    yield return new(_slots[at].Key, _slots[at].Entry);
                }
            }
        }
    }

    public bool TryGet(UInt128 key, out IndexEntry entry)
    {
        int at = Find(key);
        entry = at == Nothing ? default : _slots[at].Entry;
        return at != Nothing;
    }

    /// <summary>Notes a change, unless a later one is known.</summary>
    public void Put(UInt128 key, in IndexEntry entry)
    {
        int at = Find(key);
        if (at == Nothing)
        {
            Add(key, entry);
        }
        else if (entry.Version >= _slots[at].Entry.Version)
        {
            _slots[at].Entry = entry;
        }
    }

    /// <summary>Forgets a key.</summary>
    public void Remove(UInt128 key)
    {
        ref int link = ref _first[BucketOf(key)];
        while (link != Nothing && _slots[link].Key != key)
        {
            link = ref _slots[link].Next;
        }

        if (link != Nothing)
        {
            int at = link;
            link = _slots[at].Next;
            (_slots[at].Next, _free) = (_free, at);
            Count--;
        }
    }

    /// <summary>
    /// Adds the keys of a bucket to a list. The cursor counts buckets with its bits in reverse: so those that come of
    /// one when there are more buckets lie together, all of them before it or behind it. Who goes on until it is 0
    /// again meets each key that is there all the time, whenever the buckets became more; others perhaps.
    /// </summary>
    /// <param name="cursor">0 at first.</param>
    /// <param name="into">Takes the keys, deleted ones too.</param>
    /// <returns>The next cursor; 0: that was the last one.</returns>
    public ulong Collect(ulong cursor, List<UInt128> into)
    {
        ulong mask = (ulong)_first.Length - 1;
        for (int at = _first[(int)(cursor & mask)]; at != Nothing; at = _slots[at].Next)
        {
            into.Add(_slots[at].Key);
        }

        return Reverse(Reverse(cursor | ~mask) + 1);
    }

    private static ulong Reverse(ulong bits)
    {
        bits = (bits >> 1 & 0x5555_5555_5555_5555) | ((bits & 0x5555_5555_5555_5555) << 1);
        bits = (bits >> 2 & 0x3333_3333_3333_3333) | ((bits & 0x3333_3333_3333_3333) << 2);
        bits = (bits >> 4 & 0x0F0F_0F0F_0F0F_0F0F) | ((bits & 0x0F0F_0F0F_0F0F_0F0F) << 4);
        return BinaryPrimitives.ReverseEndianness(bits);
    }

    private int BucketOf(UInt128 key) => (int)((ulong)key & ((ulong)_first.Length - 1));

    private int Find(UInt128 key)
    {
        int at = _first[BucketOf(key)];
        while (at != Nothing && _slots[at].Key != key)
        {
            at = _slots[at].Next;
        }

        return at;
    }

    private void Add(UInt128 key, in IndexEntry entry)
    {
        if (_free == Nothing && _used == _slots.Length)
        {
            Grow();
        }

        int at = _free;
        if (at == Nothing)
        {
            at = _used++;
        }
        else
        {
            _free = _slots[at].Next;
        }

        ref int first = ref _first[BucketOf(key)];
        _slots[at] = new Slot
        {
            Key = key,
            Entry = entry,
            Next = first,
        };
        first = at;
        Count++;
    }

    // Only when all slots are used, so that each holds a key.
    private void Grow()
    {
        Array.Resize(ref _slots, 2 * _slots.Length);
        _first = new int[_slots.Length];
        Array.Fill(_first, Nothing);
        for (int at = 0; at < _used; at++)
        {
            ref int first = ref _first[BucketOf(_slots[at].Key)];
            _slots[at].Next = first;
            first = at;
        }
    }

    private struct Slot
    {
        public UInt128 Key;
        public IndexEntry Entry;
        public int Next;
    }
}
