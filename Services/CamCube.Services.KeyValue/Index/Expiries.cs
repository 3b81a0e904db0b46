namespace CamCube.Services.KeyValue.Index;

/// <summary>
/// When keys end that are there for some time only, by this server's own time: counted from when it came to know their
/// last change. That has no date, so it does not matter which one a server believes in. Loop only.
/// </summary>
/// <param name="now">That time, in nanoseconds.</param>
internal sealed class Expiries(Func<long> now)
{
    private const long Second = 1_000_000_000;
    private readonly PriorityQueue<(uint Group, UInt128 Key, ulong Version), long> _queue = new();

    /// <summary>Is told when the earliest is another.</summary>
    public Action? Sooner { get; set; }

    /// <summary>The earliest; null: there is none.</summary>
    public long? Next => _queue.TryPeek(out _, out long due) ? due : null;

    /// <summary>When that ends which is there for some seconds from now on; 0: when it is deleted.</summary>
    public long DueAfter(uint seconds)
    {
        long due = now() + (seconds * Second);
        return seconds == 0 ? 0
            : due == 0 ? 1
            : due;
    }

    /// <summary>Seconds until then, at least 1; 0: until it is deleted.</summary>
    public uint SecondsTo(long due) =>
        // The index keeps it as a later time.
        due == 0
            ? 0
            : (uint)Math.Clamp((due - KeySlots.TimeUnit - now() + Second) / Second, 1, uint.MaxValue);

    /// <summary>A key that ends.</summary>
    public void Add(uint group, UInt128 key, ulong version, long due)
    {
        bool isSooner = !(Next <= due);
        _queue.Enqueue((group, key, version), due);
        if (isSooner)
        {
            Sooner?.Invoke();
        }
    }

    /// <summary>Takes the earliest, if it is due.</summary>
    public bool TryTake(out (uint Group, UInt128 Key, ulong Version) ended)
    {
        ended = default;
        return Next <= now() && _queue.TryDequeue(out ended, out _);
    }
}
