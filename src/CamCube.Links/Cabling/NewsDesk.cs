namespace CamCube.Cabling;

/// <summary>Tells people of faults that last, and that they are gone; not of what comes and goes while a cube starts.
/// Loop only.</summary>
internal sealed class NewsDesk(Action<LinkNews> tell, long delayNanos, long reminderNanos)
{
    private readonly SortedDictionary<string, Entry> _entries = new(StringComparer.Ordinal);

    /// <summary>When <see cref="Update"/> is wanted at the latest.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>Says what is the case now.</summary>
    public void Update(IEnumerable<NewsItem> current, long now)
    {
        foreach (NewsItem item in current)
        {
            if (!_entries.TryGetValue(item.About, out Entry? entry))
            {
                _entries[item.About] = entry = new Entry();
            }

            // One text about one thing.
            if (entry.IsCurrent)
            {
                continue;
            }

            if (entry.Item?.Text != item.Text)
            {
                entry.TellAt = entry.Told == item.Text ? long.MaxValue : now + delayNanos;
            }

            (entry.Item, entry.IsCurrent, entry.GoneAt) = (item, true, long.MaxValue);
        }

        Deadline = long.MaxValue;
        foreach (string about in _entries.Keys.ToArray())
        {
            Entry entry = _entries[about];
            if (entry.IsCurrent)
            {
                Tell(entry, now);
                Deadline = Math.Min(Deadline, entry.TellAt);
            }
            else if (entry.GoneAt == long.MaxValue && entry.Told is not null)
            {
                entry.GoneAt = now + delayNanos;
                Deadline = Math.Min(Deadline, entry.GoneAt);
            }
            else if (entry.Told is null || entry.GoneAt <= now)
            {
                _entries.Remove(about);
                if (entry.Told is not null && entry.Item!.IsFault)
                {
                    tell(new LinkNews(false, $"mended: {entry.Told}"));
                }
            }
            else
            {
                Deadline = Math.Min(Deadline, entry.GoneAt);
            }

            entry.IsCurrent = false;
        }
    }

    private void Tell(Entry entry, long now)
    {
        if (entry.TellAt > now)
        {
            return;
        }

        NewsItem item = entry.Item!;
        tell(new LinkNews(item.IsFault, item.Text));
        entry.Told = item.Text;
        entry.TellAt = item.IsRepeated ? now + reminderNanos : long.MaxValue;
    }

    private sealed class Entry
    {
        public NewsItem? Item;
        public string? Told;
        public long TellAt;
        public long GoneAt = long.MaxValue;
        public bool IsCurrent;
    }
}
