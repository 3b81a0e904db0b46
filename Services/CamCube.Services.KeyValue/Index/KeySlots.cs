using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Index;

/// <summary>
/// What is known of the keys of a group: 40 bytes each, in pages that are taken one at a time, so that nothing is
/// copied when there are more; the last one begins small and grows. Slots are numbered from 1; 0 is none. Loop only.
/// </summary>
/// <param name="memory">Where pages come from.</param>
/// <param name="begin">What times are counted from, in nanoseconds.</param>
internal sealed class KeySlots(IndexMemory memory, long begin)
{
    /// <summary>Bytes of a slot.</summary>
    public const int Size = 40;

    // Where a slot has what: the next one, when the key ends, the version, the name, lengths, the place.
    private const int Due = 4;
    private const int Version = 8;
    private const int Name = 16;
    private const int Lengths = 26;
    private const int Place = 32;
    private const int FirstBytes = 4 * Size;
    private const int StepBytes = 1 << 10;
    private const int GrowthShare = 32;
    private const int PageBytes = 64 << 10;
    private const int PerPage = PageBytes / Size;
    private const int OffsetBits = 28;
    private const int ShortBits = 17;
    private const ulong Deleted = 1UL << 56;
    private const ulong InPieces = 1UL << 57;
    private const int LongShift = 58;
    private const int LongBits = 2;
    private const int LateShift = LongShift + LongBits;

    /// <summary>Times within a year from the begin are kept in units of so many nanoseconds, rounded up.</summary>
    public const long TimeUnit = 1_000_000;

    // Later ones in coarser units, with a bit that says so, for 136 years.
    private const long LateUnit = 125_000_000;
    private const ulong Late = 1UL << 35;
    private byte[][] _pages = [];
    private int _count;
    private uint _used;
    private uint _free;

    /// <summary>Where pages come from.</summary>
    public IndexMemory Memory => memory;

    /// <summary>Slots that were used at least once.</summary>
    public uint Used => _used;

    /// <summary>The first of those that are of use no more.</summary>
    public uint Free => _free;

    /// <summary>What times are counted from.</summary>
    public long Begin => begin;

    /// <summary>The next slot.</summary>
    public uint NextOf(uint slot) => MemoryMarshal.Read<uint>(At(slot));

    public void SetNext(uint slot, uint next) => MemoryMarshal.Write(At(slot), next);

    public UInt128 NameOf(uint slot) => NameIn(At(slot));

    /// <summary>Whether a slot is a key's, and the next one.</summary>
    public bool Is(uint slot, UInt128 name, out uint next)
    {
        ReadOnlySpan<byte> bytes = At(slot);
        next = MemoryMarshal.Read<uint>(bytes);
        return MemoryMarshal.Read<ulong>(bytes[Name..]) == (ulong)name
            && MemoryMarshal.Read<ushort>(bytes[(Name + sizeof(ulong))..]) == (ushort)(name >> 64);
    }

    public ulong VersionOf(uint slot) => MemoryMarshal.Read<ulong>(At(slot)[Version..]);

    /// <summary>What is known of the key of a slot.</summary>
    public IndexEntry EntryOf(uint slot, uint group)
    {
        ReadOnlySpan<byte> bytes = At(slot);
        ulong place = MemoryMarshal.Read<ulong>(bytes[Place..]),
            lengths =
                MemoryMarshal.Read<uint>(bytes[Lengths..])
                | ((ulong)MemoryMarshal.Read<ushort>(bytes[(Lengths + sizeof(uint))..]) << 32);
        ulong far = place >> LongShift & ((1 << LongBits) - 1);
        int record = (int)((lengths & ((1 << ShortBits) - 1)) | (far << ShortBits)) * 8;
        var location = new LogLocation(
            (uint)(place >> OffsetBits) & ((1 << OffsetBits) - 1),
            (uint)(place & ((1 << OffsetBits) - 1)) * 4,
            record
        );
        return new IndexEntry(
            MemoryMarshal.Read<ulong>(bytes[Version..]),
            location,
            (int)(lengths >> ShortBits),
            group,
            (place & Deleted) != 0
        )
        {
            IsInPieces = (place & InPieces) != 0,
            DueNanos = TimeOf(MemoryMarshal.Read<uint>(bytes[Due..]) | (place >> LateShift << 32)),
        };
    }

    /// <summary>Notes what is known of its key from now on.</summary>
    public void Set(uint slot, in IndexEntry entry)
    {
        LogLocation at = entry.Location;
        ulong record = (ulong)at.Length / 8;
        if (
            at.Segment >> OffsetBits != 0
            || at.Offset % 4 != 0
            || at.Length % 8 != 0
            || record >> (ShortBits + LongBits) != 0
        )
        {
            throw new ArgumentException($"There is no such place in a log: {at}.", nameof(entry));
        }

        ulong lengths = (record & ((1 << ShortBits) - 1)) | ((ulong)entry.Length << ShortBits);
        ulong due = UnitsOf(entry.DueNanos);
        ulong place =
            ((ulong)at.Segment << OffsetBits)
            | (at.Offset / 4)
            | (entry.IsDeleted ? Deleted : 0)
            | (entry.IsInPieces ? InPieces : 0)
            | (record >> ShortBits << LongShift)
            | (due >> 32 << LateShift);
        Span<byte> bytes = At(slot);
        MemoryMarshal.Write(bytes[Due..], (uint)due);
        MemoryMarshal.Write(bytes[Version..], entry.Version);
        MemoryMarshal.Write(bytes[Lengths..], (uint)lengths);
        MemoryMarshal.Write(bytes[(Lengths + sizeof(uint))..], (ushort)(lengths >> 32));
        MemoryMarshal.Write(bytes[Place..], place);
    }

    /// <summary>A slot for a key.</summary>
    public uint Take(UInt128 name, in IndexEntry entry)
    {
        uint slot = _free;
        if (slot != 0)
        {
            _free = NextOf(slot);
        }
        else
        {
            AddRoom();
            slot = ++_used;
        }

        Span<byte> bytes = At(slot);
        MemoryMarshal.Write(bytes[Name..], (ulong)name);
        MemoryMarshal.Write(bytes[(Name + sizeof(ulong))..], (ushort)(name >> 64));
        Set(slot, entry);
        return slot;
    }

    /// <summary>A slot is of use no more.</summary>
    public void Return(uint slot)
    {
        SetNext(slot, _free);

        // So that it is told from others also where nobody goes along lists.
        MemoryMarshal.Write(At(slot)[Place..], 0UL);
        _free = slot;
    }

    /// <summary>Adds where those records lie that name pieces of values.</summary>
    public void CollectInPieces(List<LogLocation> into)
    {
        for (uint slot = 1; slot <= _used; slot++)
        {
            if ((MemoryMarshal.Read<ulong>(At(slot)[Place..]) & InPieces) != 0)
            {
                into.Add(EntryOf(slot, 0).Location);
            }
        }
    }

    /// <summary>Copies all slots to a snapshot, as they are.</summary>
    public void CopyTo(SnapshotWriter to)
    {
        for (int page = 0; page < _count; page++)
        {
            int slots = (int)Math.Min(PerPage, _used - ((uint)page * PerPage));
            to.Add(_pages[page].AsSpan(0, slots * Size));
        }
    }

    /// <summary>Takes slots as a snapshot has them, instead of none.</summary>
    /// <param name="from">The snapshot.</param>
    /// <param name="used">Slots that were used.</param>
    /// <param name="free">The first of those that are of use no more.</param>
    /// <param name="taken">Looks at each.</param>
    /// <returns>False: that cannot be.</returns>
    public async ValueTask<bool> Read(SnapshotReader from, uint used, uint free, TakenSlots taken)
    {
        if (from.Left < (long)used * Size || free > used)
        {
            return false;
        }

        for (uint done = 0; done < used; )
        {
            int slots = (int)Math.Min(PerPage, used - done),
                length = slots == PerPage
                    ? PageBytes
                    : (int)Math.Min(PageBytes, (slots * Size) + StepBytes - 1 & ~(StepBytes - 1));
            byte[] page = AddPage(length);
            if (!await from.Read(page.AsMemory(0, slots * Size)).ConfigureAwait(true))
            {
                return false;
            }

            _used = done += (uint)slots;
            if (!Look(page.AsSpan(0, slots * Size), done - (uint)slots + 1, used, taken))
            {
                return false;
            }
        }

        _free = free;
        return true;
    }

    /// <summary>None is.</summary>
    public void Clear()
    {
        for (int page = 0; page < _count; page++)
        {
            memory.Count(-_pages[page].Length);
        }

        (_pages, _count) = ([], 0);
        (_used, _free) = (0, 0);
    }

    private static UInt128 NameIn(ReadOnlySpan<byte> slot) =>
        new(MemoryMarshal.Read<ushort>(slot[(Name + sizeof(ulong))..]), MemoryMarshal.Read<ulong>(slot[Name..]));

    private ulong UnitsOf(long time) =>
        time == 0 ? 0
        : Math.Max(1, ((ulong)(time - begin) + TimeUnit - 1) / TimeUnit) is < Late and var units ? units
        : Late | Math.Min(((ulong)(time - begin) + LateUnit - 1) / LateUnit, Late - 1);

    private long TimeOf(ulong units)
    {
        long time = begin + (units < Late ? (long)units * TimeUnit : (long)(units & (Late - 1)) * LateUnit);
        return units == 0 ? 0
            : time == 0 ? 1
            : time;
    }

    // Of millions, at a start, before anything is compiled well: so this is at once.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private bool Look(ReadOnlySpan<byte> slots, uint first, uint used, TakenSlots taken)
    {
        TakenSegment segment = taken.Of(0);
        for (int at = 0; at < slots.Length; at += Size)
        {
            ReadOnlySpan<byte> bytes = slots.Slice(at, Size);
            if (MemoryMarshal.Read<uint>(bytes) > used)
            {
                return false;
            }

            ulong place = MemoryMarshal.Read<ulong>(bytes[Place..]);
            uint number = (uint)(place >> OffsetBits) & ((1 << OffsetBits) - 1);
            if (number == 0)
            {
                // Of use no more.
                continue;
            }

            if (number != segment.Number)
            {
                segment = taken.Of(number);
            }

            ulong far = place >> LongShift & ((1 << LongBits) - 1);
            uint low = MemoryMarshal.Read<uint>(bytes[Lengths..]) & ((1 << ShortBits) - 1);
            long length = (long)(low | (far << ShortBits)) * 8;
            segment.Bytes += length;
            segment.End = Math.Max(segment.End, ((long)(place & ((1 << OffsetBits) - 1)) * 4) + length);
            bool isTimed = MemoryMarshal.Read<uint>(bytes[Due..]) != 0 || place >> LateShift != 0;
            if (isTimed || (place & InPieces) != 0)
            {
                uint slot = first + (uint)(at / Size);
                IndexEntry entry = EntryOf(slot, taken.Group);
                if (taken.Take(NameOf(slot), ref entry))
                {
                    Set(slot, entry);
                }
            }
        }

        return true;
    }

    // For one slot more.
    private void AddRoom()
    {
        int inPage = (int)(_used % PerPage);
        if (inPage == 0)
        {
            AddPage(_used == 0 ? FirstBytes : Step);
            return;
        }

        byte[] last = _pages[_count - 1];
        if ((inPage + 1) * Size > last.Length)
        {
            int length = Math.Min(PageBytes, last.Length + Math.Min(last.Length, Step));
            byte[] page = Page(length);
            last.AsSpan(0, inPage * Size).CopyTo(page);
            memory.Count(-last.Length);
            _pages[_count - 1] = page;
        }
    }

    // Many slots are given a page at once; of few much of it would be empty.
    private int Step => (int)Math.Clamp((long)_used * Size / GrowthShare, StepBytes, PageBytes);

    private byte[] AddPage(int length)
    {
        if (_count == _pages.Length)
        {
            Array.Resize(ref _pages, Math.Max(1, 2 * _count));
        }

        return _pages[_count++] = Page(length);
    }

    private byte[] Page(int length)
    {
        if (length == PageBytes)
        {
            return memory.Rent<byte>(PageBytes, PageBytes);
        }

        // For a while: the collector may move it.
        memory.Count(length);
        return GC.AllocateUninitializedArray<byte>(length);
    }

    // Of a slot that was taken: so it is in a page.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<byte> At(uint slot)
    {
        (uint page, uint at) = Math.DivRem(slot - 1, (uint)PerPage);
        ref byte first = ref MemoryMarshal.GetArrayDataReference(_pages[page]);
        return MemoryMarshal.CreateSpan(ref Unsafe.Add(ref first, at * Size), Size);
    }
}
