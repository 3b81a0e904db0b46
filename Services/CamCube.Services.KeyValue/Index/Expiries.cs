using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Index;

/// <summary>
/// When keys end that are there for some time only, by this server's own time: counted from when it came to know their
/// last change. That has no date, so it does not matter which one a server believes in. Loop only.
/// </summary>
/// <param name="now">That time, in nanoseconds.</param>
internal sealed class Expiries(Func<long> now)
{
    private readonly PriorityQueue<(uint Group, UInt128 Key, ulong Version), long> _queue = new();

    /// <summary>Is told when the earliest is another.</summary>
    public Action? Sooner { get; set; }

    /// <summary>The earliest; null: there is none.</summary>
    public long? Next => _queue.TryPeek(out _, out long due) ? due : null;

    /// <summary>When that ends which is there for a <see cref="Lifetime"/> from now on; 0: when it is
    /// deleted.</summary>
    public long DueAfter(uint lifetime)
    {
        long due = now() + Lifetime.NanosOf(lifetime);
        return lifetime == 0 ? 0
            : due == 0 ? 1
            : due;
    }

    /// <summary>The <see cref="Lifetime"/> until then, never none; 0: until it is deleted.</summary>
    public uint LifetimeTo(long due) => due == 0 ? 0 : Lifetime.OfNanos(due - now());

    /// <summary>Whether it has passed.</summary>
    public bool IsOver(long due) => due != 0 && due <= now();

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
