using CamCube.Testing;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>
/// A gate to a server of a simulated cube: a call drives virtual time until it has ended, and the next waits for that.
/// </summary>
internal sealed class CubeGate(TestCube cube, int rank) : IServerGate
{
    private readonly Lock _lock = new();

    public Coordinate Coordinate => cube.Shape.At(rank);

    public TorusShape Shape => cube.Shape;

    public ValueTask<TResult> CallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class
    {
        lock (_lock)
        {
            return new ValueTask<TResult>(
                cube.Await(call((TService)(object)cube[rank].Service<CacheService>(), argument))
            );
        }
    }

    public ValueTask<CommandResult> RunCommandAsync(CommandCall call, CancellationToken cancel = default) =>
        throw new NotSupportedException();
}
