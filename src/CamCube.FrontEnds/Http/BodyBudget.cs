namespace CamCube.FrontEnds.Http;

/// <summary>
/// Bytes that the bodies of one kind of front end may take. A body has the first <see cref="Floor"/> to itself from its
/// beginning to its end, so that it always goes on; what it has beyond is taken as bytes come, and given back as they
/// go. A body that stalls costs its floor and what it has sent, not its window. Any thread.
/// </summary>
/// <param name="limit">All of them.</param>
internal sealed class BodyBudget(long limit)
{
    /// <summary>Bytes that each body has for itself.</summary>
    public const int Floor = 4_096;

    private long _bodies;
    private long _beyond;

    /// <summary>Where the bytes are.</summary>
    public BodyBlocks Blocks { get; } = new();

    /// <summary>Bytes that are taken now.</summary>
    public long Taken => (Volatile.Read(ref _bodies) * Floor) + Volatile.Read(ref _beyond);

    /// <summary>Whether all is taken: nobody has more than the floor until somebody gave something back.</summary>
    public bool IsUsedUp => Taken >= limit;

    /// <summary>A body begins, if there is a floor for it.</summary>
    public bool TryOpen()
    {
        if (Interlocked.Increment(ref _bodies) * Floor <= limit)
        {
            return true;
        }

        Close();
        return false;
    }

    /// <summary>A body has ended.</summary>
    public void Close() => Interlocked.Decrement(ref _bodies);

    /// <summary>Takes bytes for a body that is held as a whole, if there are so many; <see cref="Add"/> gives them
    /// back.</summary>
    public bool TryTake(long bytes)
    {
        if (Interlocked.Add(ref _beyond, bytes) + (Volatile.Read(ref _bodies) * Floor) <= limit)
        {
            return true;
        }

        Add(-bytes);
        return false;
    }

    /// <summary>A body has so many bytes more beyond its floor, or less.</summary>
    public void Add(long bytes)
    {
        if (bytes != 0)
        {
            Interlocked.Add(ref _beyond, bytes);
        }
    }
}
