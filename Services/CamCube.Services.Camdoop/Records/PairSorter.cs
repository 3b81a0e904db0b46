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
    private int _length;
    private int _count;
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

        if (_length + length > limits.SortBytes && _count > 0)
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
        _entries[_count++] = new PairEntry(KeyPrefix.Of(keyTo), group, at);
        _length += all;
        Pairs++;
        Bytes += all;
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
        ArrayPool<PairEntry>.Shared.Return(_entries);
        (_bytes, _entries, _length, _count) = ([], [], 0, 0);
    }

    private void Sort()
    {
        Span<PairEntry> entries = _entries.AsSpan(0, _count);
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

    private void AddCombined(RunBuilder run, ReadOnlySpan<PairEntry> entries)
    {
        var sum = new ArrayBufferWriter<byte>();
        var other = new ArrayBufferWriter<byte>();
        for (int i = 0; i < entries.Length; )
        {
            Read(entries[i].At, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value);
            sum.ResetWrittenCount();
            sum.Write(value);
            int next = i + 1;
            for (; next < entries.Length && entries[next].Group == entries[i].Group; next++)
            {
                Read(entries[next].At, out ReadOnlySpan<byte> nextKey, out value);
                if (!nextKey.SequenceEqual(key))
                {
                    break;
                }

                int most = limits.MostRecord - RecordFormat.MostHead - key.Length;
                other.ResetWrittenCount();
                int length = combiner!.Combine(key, sum.WrittenSpan, value, other.GetSpan(most)[..most]);
                if ((uint)length > (uint)most)
                {
                    Wrong ??= "a combined value has no room in a pair (CamCube:Services:camdoop:MostRecord)";
                    return;
                }

                other.Advance(length);
                (sum, other) = (other, sum);
            }

            run.Add(entries[i].Group, key, sum.WrittenSpan);
            keys?.Add(entries[i].At, next - i);
            i = next;
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
