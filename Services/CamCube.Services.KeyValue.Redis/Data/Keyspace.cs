namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>The keys of one transaction. Loop only.</summary>
internal sealed class Keyspace
{
    private readonly Dictionary<Key, KeyEntry> _entries = [];

    /// <summary>All keys, in the order in which they were named first.</summary>
    public Dictionary<Key, KeyEntry>.ValueCollection Entries => _entries.Values;

    /// <summary>How many.</summary>
    public int Count => _entries.Count;

    /// <summary>Bytes of the values that are to be put.</summary>
    public long MadeBytes => _entries.Values.Sum(static entry => (long)entry.Made.Length);

    /// <summary>Bytes that were written into values, since <see cref="Clear"/>.</summary>
    public long MovedBytes { get; private set; }

    /// <summary>A key that was declared.</summary>
    public KeyEntry this[Key name] => _entries[name];

    /// <summary>Declares a key: it is read before any function is called.</summary>
    /// <param name="key">The key.</param>
    /// <param name="needsValue">With its value.</param>
    public KeyEntry Declare(KeyValueKey key, bool needsValue)
    {
        Key name = key.ToKey();
        if (!_entries.TryGetValue(name, out KeyEntry? entry))
        {
            entry = new KeyEntry(key, this);
            _entries.Add(name, entry);
        }

        entry.NeedsValue |= needsValue;
        return entry;
    }

    /// <summary>So many bytes more were written into a value.</summary>
    public void CountMoved(int bytes) => MovedBytes += bytes;

    /// <summary>Whether all have one tag, and one table.</summary>
    public bool IsOneGroup()
    {
        (ulong Route, int Table)? first = null;
        foreach ((Key name, KeyEntry entry) in _entries)
        {
            first ??= (name.Route, entry.Key.Table);
            if (first != (name.Route, entry.Key.Table))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Forgets the keys.</summary>
    public void Clear()
    {
        foreach (KeyEntry entry in _entries.Values)
        {
            entry.Release();
        }

        _entries.Clear();
        MovedBytes = 0;
    }
}
