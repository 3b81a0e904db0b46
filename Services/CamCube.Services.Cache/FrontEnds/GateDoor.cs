namespace CamCube.Services.Cache.FrontEnds;

/// <summary>The door of connections on pool threads: through the server's gate. Any thread.</summary>
internal sealed class GateDoor(IServerGate gate) : ICacheDoor
{
    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request) =>
        gate.CallAsync(static (ICache cache, CacheRequest request) => cache.ExecuteAsync(request), request);

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) =>
        gate.CallAsync(static (ICache cache, long delay) => cache.FlushAllAsync(delay), delaySeconds);

    public async ValueTask<IReadOnlyList<TAnswer>> AskPartsAsync<TArgument, TAnswer>(
        Func<ICache, TArgument, TAnswer> question, TArgument argument) =>
        [
            await gate.CallAsync(
                static (ICache cache, (Func<ICache, TArgument, TAnswer> Question, TArgument Argument) ask) =>
                    ValueTask.FromResult(ask.Question(cache, ask.Argument)),
                (question, argument)).ConfigureAwait(false),
        ];

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) =>
        gate.CallAsync(static (ICache cache, bool wholeCube) => cache.GetStatisticsAsync(wholeCube), wholeCube);
}
