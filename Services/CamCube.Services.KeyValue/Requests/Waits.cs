namespace CamCube.Services.KeyValue.Requests;

/// <summary>Those of a group who wait until their key has another version.</summary>
internal sealed class Waits
{
    private readonly Dictionary<UInt128, List<WaitingChange>> _byKey = [];

    /// <summary>All of them.</summary>
    public IEnumerable<WaitingChange> All => _byKey.Values.SelectMany(static w => w);

    public void Add(UInt128 key, WaitingChange wait)
    {
        if (!_byKey.TryGetValue(key, out List<WaitingChange>? waits))
        {
            _byKey[key] = waits = [];
        }

        waits.Add(wait);
    }

    /// <summary>Takes those out for whom a change of a key is a later one.</summary>
    /// <param name="key">The key.</param>
    /// <param name="index">The index of the change.</param>
    public IReadOnlyList<WaitingChange> TakeBefore(UInt128 key, ulong index) =>
        _byKey.TryGetValue(key, out List<WaitingChange>? waits) ? TakeBefore(key, waits, index) : [];

    /// <summary>Takes those out whose time is over.</summary>
    public IReadOnlyList<WaitingChange> TakeOver(long nowNanos) => _byKey.Count > 0 ? FindOver(nowNanos) : [];

    private IReadOnlyList<WaitingChange> FindOver(long nowNanos)
    {
        List<WaitingChange> over = [];
        foreach ((UInt128 key, List<WaitingChange> waits) in _byKey)
        {
            over.AddRange(Take(key, waits, w => w.UntilNanos <= nowNanos));
        }

        return over;
    }

    // Apart, as what it captures would be made for every change; and no List, or the empty one beside it would be a new
    // one each time.
    private IReadOnlyList<WaitingChange> TakeBefore(UInt128 key, List<WaitingChange> waits, ulong index) =>
        Take(key, waits, w => w.After < index);

    private List<WaitingChange> Take(UInt128 key, List<WaitingChange> waits, Predicate<WaitingChange> which)
    {
        List<WaitingChange> taken = waits.FindAll(which);
        waits.RemoveAll(which);
        if (waits.Count == 0)
        {
            _byKey.Remove(key);
        }

        return taken;
    }
}
