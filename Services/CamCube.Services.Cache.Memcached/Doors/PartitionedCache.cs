using CamCube.FrontEnds.Protocols;

namespace CamCube.Services.Cache.Memcached.Doors;

/// <summary>
/// The caches of several loops of one process as one: each has its part of the keys. What can be done at once is done
/// on the thread that asks, in whichever part it is; what has to wait goes through the part's gate. Never in two parts
/// at a time. Any thread.
/// </summary>
/// <param name="parts">The caches, for who comes in himself.</param>
/// <param name="gates">The gates of the same servers.</param>
/// <param name="maxValueLength">Largest value in bytes.</param>
internal sealed class PartitionedCache(
    IReadOnlyList<ISharedService<ICache>> parts,
    IReadOnlyList<IServerGate> gates,
    int maxValueLength
) : ICache
{
    private readonly ISharedService<ICache>[] _parts = [.. parts];
    private readonly GateDoor _gates = new(gates);

    public int MaxValueLength => maxValueLength;

    /// <exception cref="ServicePartException">The part has failed in the middle of it, which is told there: what became
    /// of it nobody knows.
    /// </exception>
    public bool TryExecute(
        in CacheTerms terms,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        ICacheValueReader? reader,
        out CacheReply reply
    )
    {
        ISharedService<ICache> part = PartOf(key);
        reply = default;
        ICache? cache = part.Enter();
        try
        {
            return cache is not null && cache.TryExecute(terms, key, value, reader, out reply);
        }
        catch (Exception error)
        {
            part.Fault(error);
            throw new ServicePartException(error);
        }
        finally
        {
            part.Leave();
        }
    }

    public void Hint(ReadOnlySpan<byte> key)
    {
        ISharedService<ICache> part = PartOf(key);
        ICache? cache = part.Enter();
        try
        {
            cache?.Hint(key);
        }
        finally
        {
            part.Leave();
        }
    }

    // A lock more would cost more than it saves.
    public void Announce(ReadOnlySpan<byte> key) { }

    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request) => _gates.ExecuteAsync(request);

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) => _gates.FlushAllAsync(delaySeconds);

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) =>
        _gates.GetStatisticsAsync(wholeCube);

    private ISharedService<ICache> PartOf(ReadOnlySpan<byte> key) => _parts[GateDoor.PartOf(key, _parts.Length)];
}
