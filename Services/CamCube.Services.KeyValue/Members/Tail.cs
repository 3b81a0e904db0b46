using System.Runtime.InteropServices;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>The end of a group's log, from <see cref="Base"/> on, with what its entries do: not yet shown, or kept for
/// members that lack it.</summary>
/// <param name="from">The index before the first.</param>
internal sealed class Tail(ulong from)
{
    /// <summary>Is told of entries that are removed.</summary>
    public Action<TailEntry>? Forgotten { get; set; }

    private const int MostKept = 256;
    private readonly List<TailEntry> _entries = [];

    // Where those stand that are being removed; used again. Null while it is in use.
    private List<TailEntry>? _gone;

    /// <summary>The index before the first.</summary>
    public ulong Base { get; private set; } = from;

    public ulong Last => Base + (ulong)_entries.Count;

    /// <summary>Entries were removed, or the end moved, before what came in their place was durable.</summary>
    public bool IsCut { get; set; }

    /// <summary>Bytes of the operations.</summary>
    public long Bytes { get; private set; }

    public TailEntry this[ulong index] => _entries[(int)(index - Base - 1)];

    public bool Has(ulong index) => index > Base && index <= Last;

    /// <summary>Whether this very entry is in it.</summary>
    public bool Has(TailEntry entry) => Has(entry.Index) && this[entry.Index] == entry;

    /// <summary>The change that made a version, if it is in it.</summary>
    /// <param name="version">The version.</param>
    /// <param name="at">Where the change lies.</param>
    public Operation? Find(ulong version, LogLocation at)
    {
        ulong index = version & ((1UL << 40) - 1);
        if (!Has(index) || this[index] is not { Operation: not null } entry || entry.Version != version)
        {
            return null;
        }

        for (int record = 0; record < entry.Records; record++)
        {
            if (entry.Records == 1 || entry.PlaceOf(record) == at)
            {
                return entry[record];
            }
        }

        return null;
    }

    /// <summary>The first place in the log of those behind an index; null: there are none.</summary>
    /// <param name="index">An index.</param>
    /// <param name="isSynced">Whether all of them have a place.</param>
    public LogLocation? FirstBehind(ulong index, out bool isSynced)
    {
        LogLocation? first = null;
        isSynced = true;
        for (ulong at = Math.Max(index, Base) + 1; at <= Last; at++)
        {
            LogLocation location = this[at].Location;
            isSynced &= this[at].IsSynced;
            first = first is not { } before || location.IsBefore(before) ? location : before;
        }

        return first;
    }

    /// <summary>Bytes of the operations behind an index.</summary>
    public long BytesBehind(ulong index)
    {
        long bytes = 0;
        for (ulong at = Math.Max(index, Base) + 1; at <= Last; at++)
        {
            bytes += this[at].Operation?.Length ?? 0;
        }

        return bytes;
    }

    /// <summary>Adds the next one.</summary>
    public void Add(TailEntry entry)
    {
        _entries.Add(entry);
        Bytes += entry.Operation?.Length ?? 0;
    }

    /// <summary>What an entry does, with its value.</summary>
    public void Fill(ulong index, Operation whole)
    {
        TailEntry entry = this[index];
        Bytes += whole.Length - (entry.Operation?.Length ?? 0);
        entry.Operation = whole;
    }

    /// <summary>Removes those behind an index.</summary>
    public void CutAfter(ulong index)
    {
        int keep = index <= Base ? 0 : (int)Math.Min(index - Base, (ulong)_entries.Count);
        IsCut |= keep < _entries.Count;
        Forget(keep, _entries.Count - keep);
    }

    /// <summary>Removes those up to an index.</summary>
    public void TrimTo(ulong index)
    {
        if (index > Base)
        {
            int count = (int)Math.Min(index - Base, (ulong)_entries.Count);
            Forget(0, count);
            Base += (ulong)count;
        }
    }

    /// <summary>Begins anew behind an index.</summary>
    public void Reset(ulong index)
    {
        IsCut = true;
        Forget(0, _entries.Count);
        Base = index;
    }

    private void Forget(int from, int count)
    {
        for (int i = from; i < from + count; i++)
        {
            Bytes -= _entries[i].Operation?.Length ?? 0;
        }

        if (Forgotten is not { } forgotten)
        {
            _entries.RemoveRange(from, count);
            return;
        }

        List<TailEntry> gone = _gone ?? [];
        _gone = null;
        gone.AddRange(CollectionsMarshal.AsSpan(_entries).Slice(from, count));
        _entries.RemoveRange(from, count);
        foreach (TailEntry entry in gone)
        {
            forgotten(entry);
        }

        gone.Clear();
        _gone = gone.Capacity <= MostKept ? gone : null;
    }
}
