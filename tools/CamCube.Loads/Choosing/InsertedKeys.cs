namespace CamCube.Loads.Choosing;

/// <summary>Which records are there: all below a number. Those that are put beside each other end in any order, and one
/// counts once all before it are there, so nobody is sent after a record that is on its way. Any thread.</summary>
/// <param name="count">Those that are there.</param>
public sealed class InsertedKeys(long count)
{
    private readonly Lock _lock = new();
    private readonly HashSet<long> _early = [];
    private long _next = count;
    private long _count = count;

    /// <summary>Records that are there: 0 up to this, that not included.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>Numbers that were given out, done or not.</summary>
    public long Begun => Volatile.Read(ref _next);

    /// <summary>The number of a new record.</summary>
    public long Begin() => Interlocked.Increment(ref _next) - 1;

    /// <summary>A record has ended: it is there, or it failed, and is one that will not be found.</summary>
    public void End(long number)
    {
        lock (_lock)
        {
            if (number != _count)
            {
                _early.Add(number);
                return;
            }

            long count = number + 1;
            while (_early.Remove(count))
            {
                count++;
            }

            Volatile.Write(ref _count, count);
        }
    }
}
