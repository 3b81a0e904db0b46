namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>Bytes of requests that lie in memory, of all clients of a front end. Any thread.</summary>
/// <param name="most">How many may.</param>
internal sealed class RequestBudget(long most)
{
    // Small requests are not worth a count: connections are limited.
    private const int Unit = 16 << 10;
    private long _used;

    /// <summary>Bytes that lie there now.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>Takes what a request that grows needs more.</summary>
    /// <param name="held">What it has taken; the new amount afterwards.</param>
    /// <param name="length">Its bytes now.</param>
    /// <returns>False: there is no room, and nothing more was taken.</returns>
    public bool TryHold(ref long held, long length)
    {
        if (length <= held || length < Unit)
        {
            return true;
        }

        long more = length - held;
        if (Interlocked.Add(ref _used, more) > most)
        {
            Interlocked.Add(ref _used, -more);
            return false;
        }

        held = length;
        return true;
    }

    /// <summary>Gives all of it back.</summary>
    public void Free(ref long held)
    {
        if (held > 0)
        {
            Interlocked.Add(ref _used, -held);
            held = 0;
        }
    }
}
