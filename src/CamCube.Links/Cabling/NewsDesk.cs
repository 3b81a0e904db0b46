namespace CamCube.Cabling;

/// <summary>Tells people of faults that last, and that they are gone; not of what comes and goes while a cube starts. Loop only.</summary>
internal sealed class NewsDesk(Action<LinkNews> tell, long delayNanos, long reminderNanos)
{
    private readonly SortedDictionary<string, Item> _items = new(StringComparer.Ordinal);

    /// <summary>When <see cref="Update"/> is wanted at the latest.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>Says what is the case now.</summary>
    /// <param name="current">Texts, each with whether it is a fault, and whether it is repeated.</param>
    /// <param name="now">Server time.</param>
    public void Update(IEnumerable<(string Text, bool IsFault, bool IsRepeated)> current, long now)
    {
        foreach ((string text, bool isFault, bool isRepeated) in current)
        {
            if (_items.TryGetValue(text, out Item? item))
            {
                (item.IsCurrent, item.GoneAt) = (true, long.MaxValue);
            }
            else
            {
                _items[text] = new Item(isFault, isRepeated, now + delayNanos);
            }
        }

        Deadline = long.MaxValue;
        foreach (string text in _items.Keys.ToArray())
        {
            Item item = _items[text];
            if (!item.IsCurrent && item.GoneAt == long.MaxValue)
            {
                item.GoneAt = now + delayNanos;
            }

            if (!item.IsCurrent && (!item.IsTold || item.GoneAt <= now))
            {
                _items.Remove(text);
                if (item is { IsTold: true, IsFault: true })
                {
                    tell(new LinkNews(false, $"mended: {text}"));
                }

                continue;
            }

            if (item.IsCurrent && item.TellAt <= now)
            {
                tell(new LinkNews(item.IsFault, text));
                item.IsTold = true;
                item.TellAt = item.IsRepeated ? now + reminderNanos : long.MaxValue;
            }

            Deadline = Math.Min(Deadline, item.IsCurrent ? item.TellAt : item.GoneAt);
            item.IsCurrent = false;
        }
    }

    private sealed class Item(bool isFault, bool isRepeated, long tellAt)
    {
        public readonly bool IsFault = isFault;
        public readonly bool IsRepeated = isRepeated;
        public long TellAt = tellAt;
        public bool IsTold;
        public bool IsCurrent = true;
        public long GoneAt = long.MaxValue;
    }
}
