using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Index;

/// <summary>
/// What is known of keys: 40 bytes each, in pages that are taken one at a time, so that nothing is copied when there
/// are more. Slots are numbered from 1; 0 is none. Loop only.
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
    private const int PageBytes = 64 << 10;
    private const int PerPage = PageBytes / Size;
    private const int OffsetBits = 28;
    private const int ShortBits = 17;
    private const ulong Deleted = 1UL << 56;
    private const ulong InPieces = 1UL << 57;
    private const int LongShift = 58;
    private const int LongBits = 2;
    private const int LateShift = LongShift + LongBits;

    /// <summary>Times are kept in units of so many nanoseconds, rounded up, for 272 years.</summary>
    public const long TimeUnit = 125_000_000;
    private byte[][] _pages = [];
    private int _count;
    private uint _used;
    private uint _free;

    /// <summary>Where pages come from.</summary>
    public IndexMemory Memory => memory;

    /// <summary>Slots that were used at least once.</summary>
    public uint Used => _used;

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
            AddPage();
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
        _free = slot;
    }

    /// <summary>None is.</summary>
    public void Clear()
    {
        memory.Count(-(long)_count * PageBytes);
        (_pages, _count) = ([], 0);
        (_used, _free) = (0, 0);
    }

    private static UInt128 NameIn(ReadOnlySpan<byte> slot) =>
        new(MemoryMarshal.Read<ushort>(slot[(Name + sizeof(ulong))..]), MemoryMarshal.Read<ulong>(slot[Name..]));

    private ulong UnitsOf(long time) =>
        time == 0 ? 0 : Math.Clamp(((ulong)(time - begin) + TimeUnit - 1) / TimeUnit, 1, (1UL << 36) - 1);

    private long TimeOf(ulong units)
    {
        long time = begin + ((long)units * TimeUnit);
        return units == 0 ? 0
            : time == 0 ? 1
            : time;
    }

    private void AddPage()
    {
        if (_used % PerPage != 0)
        {
            return;
        }

        if (_count == _pages.Length)
        {
            Array.Resize(ref _pages, Math.Max(4, 2 * _count));
        }

        _pages[_count++] = memory.Rent<byte>(PageBytes, PageBytes);
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
