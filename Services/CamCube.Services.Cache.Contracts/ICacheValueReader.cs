namespace CamCube.Services.Cache;

/// <summary>Takes a value that a server has in its own memory, without a copy.</summary>
public interface ICacheValueReader
{
    /// <summary>
    /// A piece of the value that was read. On the calling thread, before <see cref="ICache.TryExecute"/> returns; at
    /// least once, also for an empty value. Small values come in one piece, large ones in several, one after the other;
    /// together they have <see cref="CacheItemFacts.Length"/> bytes.
    /// </summary>
    /// <param name="reply">The reply of the operation, the same in all calls.</param>
    /// <param name="piece">The store's memory: only valid during the call. The cache must not be called from
    /// here.</param>
    /// <param name="offset">Where in the value it is: 0 in the first call.</param>
    void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset);
}
