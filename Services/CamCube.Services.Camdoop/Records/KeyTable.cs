using System.IO.Hashing;
using System.Runtime.InteropServices;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Records;

/// <summary>Finds the entry of a key among those that are there. One thread at a time; nothing is allocated once it has
/// grown.</summary>
internal sealed class KeyTable
{
    /// <summary>Bytes that it has for a key, about: a <see cref="Kept"/>, and two to four slots.</summary>
    public const int BytesPerKey = 28;

    private const int FirstSlots = 8 << 10;

    // Numbers of entries, from 1; 0: nothing is there. A power of two, and half of them at most are taken.
    private int[] _slots = new int[FirstSlots];
    private Kept[] _kept = new Kept[FirstSlots / 2];
    private int _count;

    /// <summary>What is kept of an entry.</summary>
    public ref Kept At(int entry) => ref _kept[entry];

    /// <summary>Looks for a key.</summary>
    /// <param name="key">The key, as it travels.</param>
    /// <param name="like">Its first bytes and its group.</param>
    /// <param name="entries">All entries.</param>
    /// <param name="bytes">Where their records are.</param>
    /// <param name="slot">Where it goes, if it is not there.</param>
    /// <returns>The number of its entry; null: it has none.</returns>
    public int? Find(
        ReadOnlySpan<byte> key,
        in PairEntry like,
        PairEntry[] entries,
        ReadOnlySpan<byte> bytes,
        out KeySlot slot
    )
    {
        uint hash = (uint)XxHash3.HashToUInt64(key, like.Group);
        int mask = _slots.Length - 1;
        int at = (int)hash & mask;
        for (; _slots[at] > 0; at = (at + 1) & mask)
        {
            int entry = _slots[at] - 1;
            if (
                _kept[entry].Hash == hash
                && entries[entry].Prefix == like.Prefix
                && entries[entry].Group == like.Group
                && KeyAt(bytes[entries[entry].At..]).SequenceEqual(key)
            )
            {
                slot = default;
                return entry;
            }
        }

        slot = new KeySlot(at, hash);
        return null;
    }

    /// <summary>Adds a key that was not found.</summary>
    /// <param name="slot">Where it goes.</param>
    /// <param name="entry">The number of its entry: the next one.</param>
    /// <param name="room">Bytes that its record may have where it is.</param>
    public void Add(KeySlot slot, int entry, int room)
    {
        if (entry == _kept.Length)
        {
            Array.Resize(ref _kept, 2 * _kept.Length);
            Grow(entry);
            slot = slot with { At = FreeFor(slot.Hash) };
        }

        _kept[entry] = new Kept(slot.Hash, room, Pairs: 1);
        _slots[slot.At] = entry + 1;
        _count = entry + 1;
    }

    /// <summary>There are no entries any more.</summary>
    public void Clear()
    {
        if (_count > 0)
        {
            Array.Clear(_slots);
            _count = 0;
        }
    }

    private void Grow(int count)
    {
        _slots = new int[2 * _slots.Length];
        for (int entry = 0; entry < count; entry++)
        {
            _slots[FreeFor(_kept[entry].Hash)] = entry + 1;
        }
    }

    private int FreeFor(uint hash)
    {
        int mask = _slots.Length - 1;
        int at = (int)hash & mask;
        while (_slots[at] > 0)
        {
            at = (at + 1) & mask;
        }

        return at;
    }

    private static ReadOnlySpan<byte> KeyAt(ReadOnlySpan<byte> record)
    {
        _ = RecordFormat.ReadHead(record, out int at, out int length, out _);
        return record.Slice(at, length);
    }

    /// <summary>Of an entry: the hash of its key, bytes that its record may have, and pairs that it is of.</summary>
    [StructLayout(LayoutKind.Auto)]
    public record struct Kept(uint Hash, int Room, long Pairs);
}
