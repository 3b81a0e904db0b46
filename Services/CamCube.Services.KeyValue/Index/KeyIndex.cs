using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Index;

/// <summary>Where the last change of each key lies that is applied here, by group. Loop only.</summary>
/// <param name="memory">Where its memory comes from.</param>
/// <param name="begin">What times are counted from, in nanoseconds.</param>
internal sealed class KeyIndex(IndexMemory memory, long begin)
{
    // Keys of a bucket that are touched ahead.
    private const int TouchedSteps = 3;
    private readonly Dictionary<uint, GroupKeys> _groups = [];
    private GroupKeys?[] _touched = [];

    /// <summary>The index of a server, empty.</summary>
    public KeyIndex(IServer server)
        : this(new IndexMemory(server.Memory), server.NowNanos) { }

    /// <summary>There is no memory for more keys.</summary>
    public bool IsShort => memory.IsShort;

    /// <summary>Bytes of memory that it has.</summary>
    public long Bytes => memory.Bytes;

    /// <summary>Keys, deleted ones too.</summary>
    public int Count { get; private set; }

    /// <summary>Those of a group, in no order. Must not be changed meanwhile.</summary>
    public IEnumerable<KeyValuePair<UInt128, IndexEntry>> Of(uint group) =>
        _groups.TryGetValue(group, out GroupKeys? keys) ? keys.All : [];

    /// <summary>False: nothing was ever put there, or it was forgotten.</summary>
    public bool TryGet(uint group, UInt128 key, out IndexEntry entry)
    {
        entry = default;
        return _groups.TryGetValue(group, out GroupKeys? keys) && keys.TryGet(key, out entry);
    }

    /// <summary>Notes a change, unless a later one is known.</summary>
    public void Put(UInt128 key, in IndexEntry entry)
    {
        if (!_groups.TryGetValue(entry.Group, out GroupKeys? keys))
        {
            _groups[entry.Group] = keys = new GroupKeys(new KeySlots(memory, begin), entry.Group);
        }

        int before = keys.Count;
        keys.Put(key, entry);
        Count += keys.Count - before;
    }

    /// <summary>
    /// Touches what changes of so many keys will touch, of all of them at once: so the processor waits for memory once,
    /// and not for one key after the other.
    /// </summary>
    /// <returns>Of no use, but for being worked out.</returns>
    public uint Touch(ReadOnlySpan<FoundChange> changes)
    {
        Span<uint> at = stackalloc uint[2 * changes.Length];
        at.Clear();
        if (_touched.Length < changes.Length)
        {
            _touched = new GroupKeys?[changes.Length];
        }

        for (int i = 0; i < changes.Length; i++)
        {
            if (_groups.TryGetValue(changes[i].Entry.Group, out _touched[i]) && _touched[i] is { } keys)
            {
                at[2 * i] = keys.FirstOf(changes[i].Name);
                at[(2 * i) + 1] = keys.FirstToSplit;
            }
        }

        uint sum = 0;
        for (int step = 0; step < TouchedSteps; step++)
        {
            for (int i = 0; i < at.Length; i++)
            {
                at[i] = at[i] == 0 ? 0 : _touched[i / 2]!.NextOf(at[i]);
                sum |= at[i];
            }
        }

        return sum;
    }

    /// <summary>The keys of one bucket of a group (<see cref="GroupKeys.Collect"/>).</summary>
    public ulong Collect(uint group, ulong cursor, List<UInt128> into) =>
        _groups.TryGetValue(group, out GroupKeys? keys) ? keys.Collect(cursor, into) : 0;

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        foreach (GroupKeys keys in _groups.Values)
        {
            keys.End();
        }

        _groups.Clear();
        Count = 0;
    }

    /// <summary>The groups that have keys, in their order.</summary>
    public uint[] Groups => [.. _groups.Keys.Order()];

    /// <summary>Copies what is known of the keys of a group to a snapshot, all at once.</summary>
    /// <param name="to">The snapshot.</param>
    /// <param name="group">The group; false: it has no keys any more.</param>
    /// <param name="nowNanos">The time.</param>
    /// <param name="inPieces">Takes where those records lie that name pieces of values; null: there are none.</param>
    public bool CopyTo(SnapshotWriter to, uint group, long nowNanos, List<LogLocation>? inPieces)
    {
        if (!_groups.TryGetValue(group, out GroupKeys? keys))
        {
            return false;
        }

        to.Add(1u);
        to.Add(group);
        keys.CopyTo(to, nowNanos);
        if (inPieces is not null)
        {
            keys.CollectInPieces(inPieces);
        }

        return true;
    }

    /// <summary>Takes what a snapshot knows of the keys of a group of which nothing is known here.</summary>
    /// <param name="from">The snapshot.</param>
    /// <param name="taken">Looks at each key.</param>
    /// <returns>False: that cannot be.</returns>
    public async ValueTask<bool> Read(SnapshotReader from, TakenSlots taken)
    {
        var keys = new GroupKeys(new KeySlots(memory, begin), taken.Group);
        taken.BeginNanos = begin;
        bool isRight = _groups.TryAdd(taken.Group, keys) && await keys.Read(from, taken).ConfigureAwait(true);
        Count += keys.Count;
        return isRight;
    }

    /// <summary>Forgets a key.</summary>
    public void Remove(uint group, UInt128 key)
    {
        if (_groups.TryGetValue(group, out GroupKeys? keys))
        {
            int before = keys.Count;
            keys.Remove(key);
            Count += keys.Count - before;
            if (keys.Count == 0)
            {
                keys.End();
                _groups.Remove(group);
            }
        }
    }
}
