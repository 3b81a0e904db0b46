namespace CamCube.Runtime.Memory;

/// <summary>Bytes that may be claimed, of a service, a server or the process; what is taken here is taken from the
/// larger one too. Any thread.</summary>
internal sealed class MemoryBudget(long limit, MemoryBudget? parent)
{
    private long _used;

    /// <summary>Most that may be taken, whatever is taken now.</summary>
    public long Limit => Math.Min(limit, parent?.Limit ?? long.MaxValue);

    public long Used => Volatile.Read(ref _used);

    /// <summary>What may be taken now.</summary>
    public long Room => Math.Max(0, Math.Min(limit - Used, parent?.Room ?? long.MaxValue));

    /// <summary>The budget of all servers of a process that are not in virtual time.</summary>
    public static MemoryBudget OfProcess(MemoryOptions options) =>
        new(options.ProcessLimit ?? (GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2), null);

    public bool TryTake(long bytes)
    {
        for (long used = Used; ; )
        {
            if (bytes > limit - used)
            {
                return false;
            }

            long seen = Interlocked.CompareExchange(ref _used, used + bytes, used);
            if (seen == used)
            {
                break;
            }

            used = seen;
        }

        if (parent is null || parent.TryTake(bytes))
        {
            return true;
        }

        Interlocked.Add(ref _used, -bytes);
        return false;
    }

    public void Give(long bytes)
    {
        Interlocked.Add(ref _used, -bytes);
        parent?.Give(bytes);
    }
}
