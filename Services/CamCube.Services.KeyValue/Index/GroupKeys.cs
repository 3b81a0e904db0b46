using System.Numerics;
using System.Runtime.InteropServices;
using CamCube.Services.KeyValue.Log;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Index;

/// <summary>
/// The keys of one group, in buckets; a key's is said by the last bits of its name. When there are too many keys, one
/// bucket more is made, by splitting one (Litwin 1980), so that no change takes long however many keys there are. Loop
/// only.
/// </summary>
/// <param name="slots">Where what is known of keys lies.</param>
/// <param name="group">The group's number.</param>
internal sealed class GroupKeys(KeySlots slots, uint group)
{
    private const int HeadBytes = (4 * sizeof(uint)) + sizeof(long);
    private const int Fewest = 4;
    private const int PerPage = 1_024;
    private const int PageBytes = PerPage * sizeof(uint);

    // Keys of a bucket, on average.
    private const int Load = 2;

    // Of few keys: a page would be too large.
    private uint[]? _few = new uint[Fewest];
    private readonly List<uint[]> _pages = [];
    private int _buckets = Fewest;

    /// <summary>Keys, deleted ones too.</summary>
    public int Count { get; private set; }

    /// <summary>All, in no order. Must not be changed meanwhile.</summary>
    public IEnumerable<KeyValuePair<UInt128, IndexEntry>> All
    {
        get
        {
            for (int bucket = 0; bucket < _buckets; bucket++)
            {
                for (uint at = First(bucket); at != 0; at = slots.NextOf(at))
                {
                    yield return new(slots.NameOf(at), slots.EntryOf(at, group));
                }
            }
        }
    }

    public bool TryGet(UInt128 key, out IndexEntry entry)
    {
        uint at = Find(key);
        entry = at == 0 ? default : slots.EntryOf(at, group);
        return at != 0;
    }

    /// <summary>The slot behind another.</summary>
    public uint NextOf(uint slot) => slots.NextOf(slot);

    /// <summary>Where a key is looked for first.</summary>
    public uint FirstOf(UInt128 key) => First(BucketOf(key));

    /// <summary>Where those begin that are looked at when there is one bucket more.</summary>
    public uint FirstToSplit => First(_buckets - (1 << BitOperations.Log2((uint)_buckets)));

    /// <summary>Notes a change, unless a later one is known.</summary>
    public void Put(UInt128 key, in IndexEntry entry)
    {
        uint at = Find(key);
        if (at == 0)
        {
            Add(key, entry);
        }
        else if (entry.Version >= slots.VersionOf(at))
        {
            slots.Set(at, entry);
        }
    }

    /// <summary>Forgets a key.</summary>
    public void Remove(UInt128 key)
    {
        ref uint first = ref First(BucketOf(key));
        uint before = 0;
        for (uint at = first; at != 0; )
        {
            if (!slots.Is(at, key, out uint next))
            {
                (before, at) = (at, next);
                continue;
            }

            if (before == 0)
            {
                first = next;
            }
            else
            {
                slots.SetNext(before, next);
            }

            slots.Return(at);
            Count--;
            return;
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
        int bucket = BucketOf(cursor);
        for (uint at = First(bucket); at != 0; at = slots.NextOf(at))
        {
            into.Add(slots.NameOf(at));
        }

        // A bucket that is not split yet stands for the two that come of it.
        int half = Half;
        bool isSplit = bucket >= half || bucket + half < _buckets;
        ulong mask = (ulong)(isSplit ? (2 * half) - 1 : half - 1);
        return Reverse(Reverse(cursor | ~mask) + 1);
    }

    /// <summary>Gives back the memory of the buckets; the keys are gone.</summary>
    public void End()
    {
        slots.Memory.Count(-_pages.Count * PageBytes);
        slots.Memory.Count(-((_few?.Length ?? Fewest) - Fewest) * sizeof(uint));
        _pages.Clear();
        slots.Clear();
    }

    /// <summary>Adds where those records lie that name pieces of values.</summary>
    public void CollectInPieces(List<LogLocation> into) => slots.CollectInPieces(into);

    /// <summary>Copies all to a snapshot: heads of buckets and slots as they are.</summary>
    public void CopyTo(SnapshotWriter to, long nowNanos)
    {
        to.Add(slots.Used);
        to.Add(slots.Free);
        to.Add((uint)Count);
        to.Add((uint)_buckets);
        to.Add((ulong)(nowNanos - slots.Begin));
        for (int first = 0; first < _buckets; first += PerPage)
        {
            uint[] page = _few ?? _pages[first / PerPage];
            to.Add(MemoryMarshal.AsBytes(page.AsSpan(0, Math.Min(PerPage, _buckets - first))));
        }

        slots.CopyTo(to);
    }

    /// <summary>Takes all that a snapshot has, instead of nothing.</summary>
    /// <returns>False: that cannot be.</returns>
    public async ValueTask<bool> Read(SnapshotReader from, TakenSlots taken)
    {
        byte[] head = new byte[HeadBytes];
        if (!await from.Read(head).ConfigureAwait(true))
        {
            return false;
        }

        uint used = ReadUInt32LittleEndian(head),
            free = ReadUInt32LittleEndian(head.AsSpan(4)),
            count = ReadUInt32LittleEndian(head.AsSpan(8)),
            buckets = ReadUInt32LittleEndian(head.AsSpan(12));
        taken.PassedNanos = ReadInt64LittleEndian(head.AsSpan(16));
        if (count > used || buckets < Fewest || from.Left < (long)buckets * sizeof(uint))
        {
            return false;
        }

        for (int added = _buckets; added < buckets; added++)
        {
            Room(added);
            _buckets = added + 1;
        }

        for (int first = 0; first < buckets; first += PerPage)
        {
            uint[] page = _few ?? _pages[first / PerPage];
            int length = (int)Math.Min(PerPage, buckets - first) * sizeof(uint);
            byte[] bytes = new byte[length];
            if (!await from.Read(bytes).ConfigureAwait(true))
            {
                return false;
            }

            bytes.CopyTo(MemoryMarshal.AsBytes(page.AsSpan()));
            if (page.AsSpan(0, length / sizeof(uint)).ContainsAnyExceptInRange(0u, used))
            {
                return false;
            }
        }

        Count = (int)count;
        return await slots.Read(from, used, free, taken).ConfigureAwait(true);
    }

    private static ulong Reverse(ulong bits)
    {
        bits = (bits >> 1 & 0x5555_5555_5555_5555) | ((bits & 0x5555_5555_5555_5555) << 1);
        bits = (bits >> 2 & 0x3333_3333_3333_3333) | ((bits & 0x3333_3333_3333_3333) << 2);
        bits = (bits >> 4 & 0x0F0F_0F0F_0F0F_0F0F) | ((bits & 0x0F0F_0F0F_0F0F_0F0F) << 4);
        return ReverseEndianness(bits);
    }

    // Buckets from which others are split, or were last.
    private int Half => 1 << BitOperations.Log2((uint)_buckets - 1);

    private int BucketOf(UInt128 key) => BucketOf((ulong)key);

    private int BucketOf(ulong key)
    {
        int half = Half,
            bucket = (int)(key & (ulong)((2 * half) - 1));
        return bucket < _buckets ? bucket : bucket - half;
    }

    private ref uint First(int bucket)
    {
        if (_few is { } few)
        {
            return ref few[bucket];
        }

        return ref _pages[bucket / PerPage][bucket % PerPage];
    }

    private uint Find(UInt128 key)
    {
        uint at = First(BucketOf(key));
        while (at != 0 && !slots.Is(at, key, out uint next))
        {
            at = next;
        }

        return at;
    }

    private void Add(UInt128 key, in IndexEntry entry)
    {
        uint slot = slots.Take(key, entry);
        ref uint first = ref First(BucketOf(key));
        slots.SetNext(slot, first);
        first = slot;
        if (++Count > Load * _buckets)
        {
            Split();
        }
    }

    // The next bucket takes those of an earlier one that belong there from now on.
    private void Split()
    {
        int added = _buckets;
        Room(added);
        _buckets++;
        int half = Half;
        ref uint from = ref First(added - half);
        ref uint to = ref First(added);
        (uint left, from, to) = (from, 0, 0);
        while (left != 0)
        {
            uint next = slots.NextOf(left);
            bool isMoved = ((ulong)slots.NameOf(left) & (ulong)half) != 0;
            ref uint first = ref isMoved ? ref to : ref from;
            slots.SetNext(left, first);
            (first, left) = (left, next);
        }
    }

    // For one bucket more.
    private void Room(int bucket)
    {
        if (_few is { } few && bucket < PerPage)
        {
            if (bucket == few.Length)
            {
                slots.Memory.Count(few.Length * sizeof(uint));
                Array.Resize(ref _few, 2 * few.Length);
            }

            return;
        }

        if (bucket % PerPage == 0)
        {
            if (_few is not null)
            {
                slots.Memory.Count((Fewest - _few.Length) * sizeof(uint));
                uint[] first = slots.Memory.Rent<uint>(PerPage, PageBytes);
                _few.CopyTo(first, 0);
                _pages.Add(first);
                _few = null;
            }

            _pages.Add(slots.Memory.Rent<uint>(PerPage, PageBytes));
        }
    }
}
