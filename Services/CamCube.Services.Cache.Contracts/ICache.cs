namespace CamCube.Services.Cache;

/// <summary>
/// The cache as other services and front ends of the same server see it (HPDC §5.1, SIGCOMM §3.3): one cache on all
/// servers, an item in memory at the root of its memId. Loop only; from other threads through
/// <see cref="IServerGate"/>. Nothing here throws for what a network or a client does: see <see cref="CacheStatus"/>.
/// </summary>
public interface ICache
{
    /// <summary>Largest value in bytes.</summary>
    int MaxValueLength { get; }

    /// <summary>Does one operation, at the key's root wherever that is.</summary>
    ValueTask<CacheReply> ExecuteAsync(CacheRequest request);

    /// <summary>
    /// Does an operation at once, if that needs no other server: nothing is copied but what is stored, and nothing
    /// allocated. False: nothing was done; <see cref="ExecuteAsync"/> brings it to the key's root.
    /// </summary>
    /// <param name="terms">What is to be done.</param>
    /// <param name="key">The client's key, as in <see cref="CacheRequest.Key"/>.</param>
    /// <param name="value">The value to store, append or prepend.</param>
    /// <param name="reader">Takes a value that is read, piece by piece, with status Done only; null: it is not
    /// wanted.</param>
    /// <param name="reply">How it ended, if the answer is true.</param>
    bool TryExecute(
        in CacheTerms terms,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        ICacheValueReader? reader,
        out CacheReply reply
    );

    /// <summary>
    /// <see cref="TryExecute"/> with this key comes next but one. Changes nothing; where the key is this server's, its
    /// item is brought closer to the processor while the next operation runs.
    /// </summary>
    void Hint(ReadOnlySpan<byte> key) { }

    /// <summary>
    /// <see cref="Hint"/> with this key comes soon, and some operation before it. Changes nothing; what the hint looks
    /// at is brought closer to the processor.
    /// </summary>
    void Announce(ReadOnlySpan<byte> key) { }

    /// <summary>Removes all items on all reachable servers, after a delay in seconds (0: now); returns when all have
    /// noted it.</summary>
    ValueTask<CacheReply> FlushAllAsync(long delaySeconds);

    /// <summary>Statistics: of this server, or summed over the cube. Servers that do not answer are left out.</summary>
    ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube);

    /// <summary>How this server's memory is used, by size class.</summary>
    CacheStoreNumbers GetStoreNumbers() => CacheStoreNumbers.None;

    /// <summary>Begins or ends to tell items by size (<see cref="CacheStoreNumbers.Sizes"/>): those that are stored
    /// from the first time on. False: it cannot.</summary>
    bool TrackSizes(bool isOn) => false;

    /// <summary>
    /// Changes how much memory this server's items may take, with all tables: more at once; of less the rest is evicted
    /// and given back soon. False: so little or so much is not possible.
    /// </summary>
    bool TrySetMemoryLimit(long bytes) => false;

    /// <summary>Keys that this server has, of one size class, the last used first. It looks at 65,536 items at
    /// most.</summary>
    /// <param name="classNumber">Number of the class, from 1.</param>
    /// <param name="most">Most items that are wanted.</param>
    IReadOnlyList<CacheListedItem> ListItems(int classNumber, int most) => [];
}
