namespace CamCube.Services.Cache.Memcached.Doors;

/// <summary>How the connections of a front end reach the cache of their server. Every call may throw, or end with,
/// <see cref="ServiceUnavailableException"/>: the cache does not run.</summary>
internal interface ICacheDoor
{
    /// <summary>One operation.</summary>
    ValueTask<CacheReply> ExecuteAsync(CacheRequest request);

    /// <summary>Removes all items, after a delay in seconds.</summary>
    ValueTask<CacheReply> FlushAllAsync(long delaySeconds);

    /// <summary>Asks the caches of this process that share the keys among them, each in its loop.</summary>
    /// <param name="question">What is asked; it must not block.</param>
    /// <param name="argument">What it needs.</param>
    ValueTask<IReadOnlyList<TAnswer>> AskPartsAsync<TArgument, TAnswer>(
        Func<ICache, TArgument, TAnswer> question,
        TArgument argument
    );

    /// <summary>Statistics of this server or of the cube.</summary>
    ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube);
}
