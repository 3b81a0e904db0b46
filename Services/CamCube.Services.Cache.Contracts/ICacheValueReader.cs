namespace CamCube.Services.Cache;

/// <summary>Takes a value that a server has in its own memory, without a copy.</summary>
public interface ICacheValueReader
{
    /// <summary>The value that was read. On the loop, before <see cref="ICache.TryExecute"/> returns.</summary>
    /// <param name="reply">The reply of the operation.</param>
    /// <param name="value">The store's memory: only valid during the call. The cache must not be called from here.</param>
    void TakeValue(in CacheReply reply, ReadOnlySpan<byte> value);
}
