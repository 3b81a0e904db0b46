namespace CamCube.Services.KeyValue.Index;

/// <summary>Where the last change of each key lies that is applied here, by group. Loop only.</summary>
internal sealed class KeyIndex
{
    private readonly Dictionary<uint, GroupKeys> _groups = [];

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
            _groups[entry.Group] = keys = new GroupKeys();
        }

        int before = keys.Count;
        keys.Put(key, entry);
        Count += keys.Count - before;
    }

    /// <summary>The keys of one bucket of a group (<see cref="GroupKeys.Collect"/>).</summary>
    public ulong Collect(uint group, ulong cursor, List<UInt128> into) =>
        _groups.TryGetValue(group, out GroupKeys? keys) ? keys.Collect(cursor, into) : 0;

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        _groups.Clear();
        Count = 0;
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
                _groups.Remove(group);
            }
        }
    }
}
