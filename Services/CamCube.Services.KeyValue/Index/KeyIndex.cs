namespace CamCube.Services.KeyValue.Index;

/// <summary>Where the last change of each key lies that is applied here. Loop only.</summary>
internal sealed class KeyIndex
{
    private readonly Dictionary<UInt128, IndexEntry> _entries = [];

    /// <summary>Keys, deleted ones too.</summary>
    public int Count => _entries.Count;

    /// <summary>All, in no order. Must not be changed meanwhile.</summary>
    public IEnumerable<KeyValuePair<UInt128, IndexEntry>> All => _entries;

    /// <summary>False: nothing was ever put there, or it was forgotten.</summary>
    public bool TryGet(UInt128 key, out IndexEntry entry) => _entries.TryGetValue(key, out entry);

    /// <summary>Notes a change, unless a later one is known.</summary>
    public void Put(UInt128 key, in IndexEntry entry)
    {
        if (!_entries.TryGetValue(key, out IndexEntry now) || entry.Version >= now.Version)
        {
            _entries[key] = entry;
        }
    }

    /// <summary>Forgets all.</summary>
    public void Clear() => _entries.Clear();

    /// <summary>Forgets a key.</summary>
    public void Remove(UInt128 key) => _entries.Remove(key);
}
