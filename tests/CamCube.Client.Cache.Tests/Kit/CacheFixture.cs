using System.Diagnostics.Metrics;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>A cache as an application gets it, with a clock that the test moves and a log that it reads.</summary>
internal sealed class CacheFixture : IAsyncDisposable
{
    private readonly ServiceProvider _provider;

    public CacheFixture(TestClock clock, Action<CamCubeCacheOptions> configure)
    {
        Clock = clock;
        Log = new TestLog();
        _provider = new ServiceCollection()
            .AddSingleton<TimeProvider>(clock)
            .AddLogging(logging => logging.AddProvider(Log).SetMinimumLevel(LogLevel.Trace))
            .AddCamCubeCache(configure)
            .BuildServiceProvider();
        Cache = (IBufferDistributedCache)_provider.GetRequiredService<IDistributedCache>();
    }

    public TestClock Clock { get; }

    public TestLog Log { get; }

    public IBufferDistributedCache Cache { get; }

    public IMeterFactory Meters => _provider.GetRequiredService<IMeterFactory>();

    public static CacheFixture On(TestClock clock, Action<CamCubeCacheOptions>? more, params FakeServer[] servers) =>
        new(
            clock,
            options =>
            {
                options.Servers = [.. servers.Select(server => server.Address)];
                options.ConnectionsPerServer = 1;
                more?.Invoke(options);
            }
        );

    public ValueTask DisposeAsync() => _provider.DisposeAsync();
}
