namespace CamCube.Simulator.Disks;

/// <summary>The files of one service on one simulated disk: names as they are now, as they are safe, and the changes in
/// between in order.</summary>
internal sealed class SimulatedFolder
{
    private readonly List<NameChange> _unsynced = [];
    private SortedDictionary<string, FileContent> _live = new(StringComparer.Ordinal);
    private SortedDictionary<string, FileContent> _safe = new(StringComparer.Ordinal);

    public IEnumerable<DiskEntry> Entries =>
        _live.Select(static file => new DiskEntry(file.Key, file.Value.Live.Length));

    /// <summary>Files whose names are safe, and what of them is.</summary>
    public IEnumerable<FileContent> Safe => _safe.Values;

    public long SafeBytes => _safe.Values.Sum(static content => content.SafeLength);

    public long Bytes => _live.Values.Sum(static content => content.Live.Length);

    public FileContent? Find(string name) => _live.GetValueOrDefault(name);

    public FileContent Create(string name)
    {
        var content = new FileContent();
        Make(new NameChange(name, null, content));
        return content;
    }

    public bool Rename(string name, string newName)
    {
        if (Find(name) is not { } content)
        {
            return false;
        }

        Make(new NameChange(name, newName, content));
        return true;
    }

    public bool Delete(string name)
    {
        if (Find(name) is null)
        {
            return false;
        }

        Make(new NameChange(name, null, null));
        return true;
    }

    public void Sync()
    {
        _safe = new SortedDictionary<string, FileContent>(_live, StringComparer.Ordinal);
        _unsynced.Clear();
    }

    /// <summary>Power failed. Changes of names survive in order, as long as the one says so; of the files' bytes the
    /// other says what does, and the last which files are lost.</summary>
    public void Fail(Func<bool> survives, Func<FileContent.Change, FileContent.Change?> surviving, Func<bool> isLost)
    {
        bool survive = true;
        foreach (NameChange change in _unsynced)
        {
            // Asked for each, so that each is counted.
            survive &= survives();
            if (survive)
            {
                change.Make(_safe);
            }
        }

        _unsynced.Clear();
        foreach (string name in _safe.Keys.Where(_ => isLost()).ToArray())
        {
            _safe.Remove(name);
        }

        _live = new SortedDictionary<string, FileContent>(_safe, StringComparer.Ordinal);
        foreach (FileContent content in _live.Values)
        {
            content.Fail(surviving);
        }
    }

    private void Make(NameChange change)
    {
        change.Make(_live);
        _unsynced.Add(change);
    }

    /// <summary>A file made (content, no new name), renamed (both), or deleted (neither).</summary>
    private sealed record NameChange(string Name, string? NewName, FileContent? Content)
    {
        public void Make(SortedDictionary<string, FileContent> names)
        {
            if (Content is null || NewName is not null)
            {
                names.Remove(Name);
            }

            if (Content is not null)
            {
                names[NewName ?? Name] = Content;
            }
        }
    }
}
