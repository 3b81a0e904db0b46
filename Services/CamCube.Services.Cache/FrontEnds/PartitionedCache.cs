namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// The caches of several loops of one process as one: each has its part of the keys. Used from the loop of one of them, which does its own part
/// at once; the other parts are reached through their gates.
/// </summary>
/// <param name="own">The cache of this loop.</param>
/// <param name="gates">The gates of all loops.</param>
/// <param name="index">Which of them this is.</param>
internal sealed class PartitionedCache(ICache own, IReadOnlyList<IServerGate> gates, int index) : ICache
{
    private readonly GateDoor _all = new(gates);

    /// <summary>The cache of this loop.</summary>
    internal ICache Own => own;

    public int MaxValueLength => own.MaxValueLength;

    public bool TryExecute(
        in CacheTerms terms, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ICacheValueReader? reader, out CacheReply reply)
    {
        reply = default;
        return GateDoor.PartOf(key, gates.Count) == index && own.TryExecute(terms, key, value, reader, out reply);
    }

    public void Hint(ReadOnlySpan<byte> key)
    {
        if (GateDoor.PartOf(key, gates.Count) == index)
            own.Hint(key);
    }

    public void Announce(ReadOnlySpan<byte> key)
    {
        if (GateDoor.PartOf(key, gates.Count) == index)
            own.Announce(key);
    }

    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request) =>
        GateDoor.PartOf(request.Key.Span, gates.Count) == index ? own.ExecuteAsync(request) : _all.ExecuteAsync(request);

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) => _all.FlushAllAsync(delaySeconds);

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) => _all.GetStatisticsAsync(wholeCube);
}
