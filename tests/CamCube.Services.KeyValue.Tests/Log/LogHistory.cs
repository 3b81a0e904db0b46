namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>All that was ever appended to a log, and what was told to be synced: it outlives crashes.</summary>
internal sealed class LogHistory
{
    private readonly Dictionary<string, List<(ulong Index, int Length)>> _written = [];
    private readonly Dictionary<string, ulong> _synced = [];

    public IEnumerable<string> Keys => _written.Keys;

    /// <summary>The index given last.</summary>
    public ulong Last { get; private set; }

    /// <summary>The state that was synced last.</summary>
    public ulong State { get; set; }

    /// <summary>Deletes up to this index were passed by everybody.</summary>
    public ulong Passed { get; set; }

    public ulong Next() => ++Last;

    public void Wrote(string key, ulong index, int length)
    {
        if (!_written.TryGetValue(key, out var list))
        {
            _written[key] = list = [];
        }

        list.Add((index, length));
    }

    public void Synced(string key, ulong index) => _synced[key] = Math.Max(index, _synced.GetValueOrDefault(key));

    /// <summary>Whether a key may be found like this after a crash.</summary>
    /// <param name="key">The key.</param>
    /// <param name="index">The put or delete that was found, or 0 for none.</param>
    /// <param name="length">The length of its value; -1 for a delete or none.</param>
    public bool Allows(string key, ulong index, int length)
    {
        ulong synced = _synced.GetValueOrDefault(key);
        if (index == 0)
        {
            // A delete that all had passed may be gone.
            return synced == 0 || _written[key].Exists(w => w.Index >= synced && w.Length < 0 && w.Index <= Passed);
        }

        return index >= synced && _written[key].Contains((index, length));
    }
}
