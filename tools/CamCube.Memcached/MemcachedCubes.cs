using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Cache;
using CamCube.Simulator.Live;

namespace CamCube.Memcached;

/// <summary>The loops of -t: each a cube of one server with its own thread, and an equal part of the memory.</summary>
internal sealed class MemcachedCubes : IAsyncDisposable
{
    private readonly List<LiveCube> _cubes = [];

    public MemcachedCubes(MemcachedSettings settings, int count, IServerEvents events)
    {
        // An item has to fit twice into its part.
        count = (int)Math.Clamp(settings.Megabytes * (1L << 20) / 2 / settings.MaxItem, 1, count);
        var options = new CacheOptions
        {
            MemoryLimit = settings.Megabytes * (1L << 20) / count,
            MaxValueLength = settings.MaxItem,
            Evicts = !settings.NoEviction,
            UseCas = !settings.NoCas,
            TrackSizes = settings.TrackSizes,
            AssemblyMemory = Math.Max(32 << 20, 2 * settings.MaxItem),
        };
        for (int i = 0; i < count; i++)
        {
            _cubes.Add(
                new LiveCube(
                    new TorusShape(1, 1, 1),
                    [
                        ServiceDefinition.Of(
                            typeof(CacheService),
                            activation => new CacheService(activation.Server, options)
                        ),
                    ],
                    new ServerOptions(),
                    events,
                    new LiveCubeOptions { SpinMicros = 0, IsShared = count > 1 },
                    (ulong)Random.Shared.NextInt64(),
                    TimeProvider.System
                )
            );
        }
    }

    /// <summary>The gates of the servers, one per loop.</summary>
    public IReadOnlyList<IServerGate> Gates => [.. _cubes.Select(cube => cube.GateOf(0))];

    /// <summary>Completes when the first loop has ended: with the error that ended it, if one did.</summary>
    public Task Ended => Task.WhenAny(_cubes.Select(cube => cube.Ended)).Unwrap();

    public async Task StartAsync(CancellationToken cancel)
    {
        foreach (LiveCube cube in _cubes)
        {
            await cube.StartAsync(cancel);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (LiveCube cube in _cubes)
        {
            await cube.DisposeAsync();
        }
    }
}
