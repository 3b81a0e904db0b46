using System.Buffers;
using System.Buffers.Binary;
using CamCube.Services.Camdoop.Sketches;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Records;

/// <summary>
/// Pairs of one map attempt as they come, until there are enough to sort: bytes of records, and an entry for each with
/// its group and the first bytes of its key, so that most comparisons touch no record. What it gives depends on the
/// pairs and their order only, never on memory or time, so every attempt gives the same. One thread at a time, off the
/// loop.
/// </summary>
/// <param name="groups">Which group a key is of.</param>
/// <param name="limits">When it is full, and what is too long.</param>
/// <param name="combiner">Makes one pair of those with one key; null: nothing does.</param>
/// <param name="keys">Counts keys; null: nobody does.</param>
internal sealed class PairSorter(PairGroups groups, SortLimits limits, IPairCombiner? combiner, KeyCounter? keys = null)
    : IDisposable
{
    /// <summary>A part of the key says which reduce.</summary>
    public const int ByHash = -1;

    private const int FirstBytes = 64 << 10;
    private const int FirstEntries = 4 << 10;
    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(FirstBytes);
    private PairEntry[] _entries = ArrayPool<PairEntry>.Shared.Rent(FirstEntries);
    private byte[] _result = [];
    private int _length;
    private int _count;
    private readonly KeyTable? _table = combiner is null ? null : new KeyTable();
    private readonly Queue<SortedRun> _sorted = [];

    /// <summary>Pairs that were added.</summary>
    public long Pairs { get; private set; }

    /// <summary>Bytes of records that were added.</summary>
    public long Bytes { get; private set; }

    /// <summary>Pairs of all runs, after combining.</summary>
    public long SortedPairs { get; private set; }

    /// <summary>What is wrong with a pair that was added; null: nothing. Nothing is added any more.</summary>
    public string? Wrong { get; private set; }

    /// <summary>Adds a pair.</summary>
    /// <param name="key">Its key, any bytes.</param>
    /// <param name="value">Its value.</param>
    /// <param name="partition">The part of the key that says which reduce.</param>
    /// <param name="reduce">The reduce that the pair goes to; <see cref="ByHash"/>: that part says which.</param>
    public void Add(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ReadOnlySpan<byte> partition, int reduce = ByHash)
    {
        int prefix = KeyForm.PrefixFor(key);
        int keyLength = KeyForm.LengthOf(key);
        long length = (long)RecordFormat.MostHead + keyLength + prefix + value.Length;
        if (Wrong is not null || length > limits.MostRecord)
        {
            Wrong ??=
                $"a pair has a key of {key.Length:N0} bytes and a value of {value.Length:N0}; together they may have "
                + $"about {limits.MostRecord:N0} (CamCube:Services:camdoop:MostRecord)";
            return;
        }

        // What is kept of short pairs is longer than they are.
        long kept = (_count + 1L) * (PairEntry.Bytes + (_table is null ? 0 : KeyTable.BytesPerKey));
        if (_length + length + kept > limits.SortBytes && _count > 0)
        {
            Sort();
        }

        Grow((int)length);
        int group = reduce < 0 ? groups.Of(key, partition) : groups.Of(reduce, key);
        int at = _length;
        Span<byte> to = _bytes.AsSpan(at);
        int head = RecordFormat.WriteHead(to, keyLength, prefix + value.Length);
        Span<byte> keyTo = to.Slice(head, keyLength);
        if (KeyForm.NeedsForm(key))
        {
            KeyForm.Write(key, keyTo);
        }
        else
        {
            key.CopyTo(keyTo);
        }

        Span<byte> valueTo = to[(head + keyLength)..];
        if (prefix > 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(valueTo, key.Length);
            key.CopyTo(valueTo[sizeof(int)..]);
        }

        value.CopyTo(valueTo[prefix..]);
        int all = head + keyLength + prefix + value.Length;
        Pairs++;
        Bytes += all;
        var entry = new PairEntry(KeyPrefix.Of(keyTo), group, at);
        if (_table is null)
        {
            _entries[_count++] = entry;
            _length += all;
        }
        else if (_table.Find(keyTo, entry, _entries, _bytes, out KeySlot slot) is { } same)
        {
            Combine(same, keyTo, valueTo[..(prefix + value.Length)], all);
        }
        else
        {
            _table.Add(slot, _count, all);
            _entries[_count++] = entry;
            _length += all;
        }
    }

    // The value of a key that is there already; the pair that was written behind all others goes again.
    private void Combine(int same, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, int all)
    {
        Read(_entries[same].At, out _, out ReadOnlySpan<byte> before);
        int most = limits.MostRecord - RecordFormat.MostHead - key.Length;
        if (_result.Length < most)
        {
            ArrayPool<byte>.Shared.Return(_result);
            _result = ArrayPool<byte>.Shared.Rent(most);
        }

        int length = combiner!.Combine(key, before, value, _result.AsSpan(0, most));
        if ((uint)length > (uint)most)
        {
            Wrong ??= "a combined value has no room in a pair (CamCube:Services:camdoop:MostRecord)";
            return;
        }

        ref KeyTable.Kept kept = ref _table!.At(same);
        kept.Pairs++;
        int needed = RecordFormat.LengthOf(key.Length, length);
        ReadOnlySpan<byte> result = _result.AsSpan(0, length);
        if (needed <= kept.Room)
        {
            // Its key stays where it is, unless the lengths before it have other lengths.
            RecordFormat.Write(_bytes.AsSpan(_entries[same].At), key, result);
            return;
        }

        // One that grows, as a list does, has room for as much again: it is not copied each time.
        int room = (int)Math.Min(2L * needed, limits.MostRecord);
        _length += all;
        Grow(room);
        RecordFormat.Write(
            _bytes.AsSpan(_length),
            _bytes.AsSpan(_length - value.Length - key.Length, key.Length),
            result
        );
        kept.Room = room;
        _entries[same] = _entries[same] with { At = _length };
        _length += room;
    }

    /// <summary>No more pairs come: the rest is sorted.</summary>
    public void Complete()
    {
        if (_count > 0)
        {
            Sort();
        }
    }

    /// <summary>The next run that is sorted and was not taken.</summary>
    public SortedRun? Take() => _sorted.TryDequeue(out SortedRun? run) ? run : null;

    /// <inheritdoc/>
    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_bytes);
        ArrayPool<byte>.Shared.Return(_result);
        ArrayPool<PairEntry>.Shared.Return(_entries);
        (_bytes, _result, _entries, _length, _count) = ([], [], [], 0, 0);
    }

    private void Sort()
    {
        Span<PairEntry> entries = _entries.AsSpan(0, _count);
        if (_table is { } table)
        {
            for (int i = 0; i < entries.Length; i++)
            {
                keys?.Add(entries[i].At, table.At(i).Pairs);
            }

            table.Clear();
        }

        EntrySort.Sort(entries, _bytes);
        var run = new RunBuilder(groups.Count, _length);
        if (combiner is null)
        {
            AddAll(run, entries);
        }
        else
        {
            AddCombined(run, entries);
        }

        keys?.EndRun(_bytes);
        SortedPairs += run.Pairs;
        _sorted.Enqueue(run.ToRun());
        (_length, _count) = (0, 0);
    }

    private void AddAll(RunBuilder run, ReadOnlySpan<PairEntry> entries)
    {
        int first = 0;
        for (int i = 0; i < entries.Length; i++)
        {
            if (!IsSameKey(entries[first], entries[i]))
            {
                keys?.Add(entries[first].At, i - first);
                first = i;
            }

            run.Add(entries[i].Group, _bytes.AsSpan(entries[i].At, RecordLength(entries[i].At)));
        }

        keys?.Add(entries[first].At, entries.Length - first);
    }

    // Mostly their first bytes say it, without a look at the records.
    private bool IsSameKey(in PairEntry left, in PairEntry right)
    {
        if (left.Prefix != right.Prefix || left.Group != right.Group)
        {
            return false;
        }

        Read(left.At, out ReadOnlySpan<byte> leftKey, out _);
        Read(right.At, out ReadOnlySpan<byte> rightKey, out _);
        return leftKey.SequenceEqual(rightKey);
    }

    // Each key is there once.
    private void AddCombined(RunBuilder run, ReadOnlySpan<PairEntry> entries)
    {
        foreach (ref readonly PairEntry entry in entries)
        {
            run.Add(entry.Group, _bytes.AsSpan(entry.At, RecordLength(entry.At)));
        }
    }

    private int RecordLength(int at)
    {
        _ = RecordFormat.ReadHead(_bytes.AsSpan(at), out int keyAt, out int key, out int value);
        return keyAt + key + value;
    }

    private void Read(int at, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        ReadOnlySpan<byte> record = _bytes.AsSpan(at);
        _ = RecordFormat.ReadHead(record, out int keyAt, out int keyLength, out int valueLength);
        key = record.Slice(keyAt, keyLength);
        value = record.Slice(keyAt + keyLength, valueLength);
    }

    private void Grow(int more)
    {
        if (_bytes.Length - _length < more)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(2 * _bytes.Length, _length + more));
            _bytes.AsSpan(0, _length).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = larger;
        }

        if (_count == _entries.Length)
        {
            PairEntry[] larger = ArrayPool<PairEntry>.Shared.Rent(2 * _count);
            _entries.AsSpan(0, _count).CopyTo(larger);
            ArrayPool<PairEntry>.Shared.Return(_entries);
            _entries = larger;
        }
    }
}
