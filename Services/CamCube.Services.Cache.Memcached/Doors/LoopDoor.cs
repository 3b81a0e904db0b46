using CamCube.FrontEnds.Protocols;

namespace CamCube.Services.Cache.Memcached.Doors;

/// <summary>The door of connections in a server's loop, where the cache is at hand.</summary>
/// <param name="turn">Has the cache that is running.</param>
/// <param name="gates">The way for what is asked in the middle of what goes on wherever a thread is free, so not always
/// on the loop.</param>
internal sealed class LoopDoor(ServiceTurn<ICache> turn, ICacheDoor gates) : ICacheDoor
{
    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request) => Running().ExecuteAsync(request);

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) => Running().FlushAllAsync(delaySeconds);

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) =>
        gates.GetStatisticsAsync(wholeCube);

    public ValueTask<IReadOnlyList<TAnswer>> AskPartsAsync<TArgument, TAnswer>(
        Func<ICache, TArgument, TAnswer> question,
        TArgument argument
    ) => gates.AskPartsAsync(question, argument);

    private ICache Running() => turn.Service ?? throw new ServiceUnavailableException(nameof(ICache));
}
