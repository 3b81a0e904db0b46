using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Reflection;
using CamCube.Client.Cache.Observing;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;

namespace CamCube.Client.Cache.Tests;

public sealed class ObservingTests : IAsyncLifetime
{
    private readonly TestClock _clock = new();
    private readonly FakeServer _server;

    public ObservingTests() => _server = new FakeServer(_clock);

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public void Event_ids_are_unique_and_in_the_range_of_the_project()
    {
        int[] ids =
        [
            .. typeof(CacheClientLog)
                .GetMethods(BindingFlags.Public | BindingFlags.Static)
                .Select(method => method.GetCustomAttribute<LoggerMessageAttribute>())
                .OfType<LoggerMessageAttribute>()
                .Select(attribute => attribute.EventId),
        ];
        Assert.NotEmpty(ids);
        Assert.Equal(ids.Distinct(), ids);
        Assert.All(ids, id => Assert.InRange(id, 6_200, 6_219));
    }

    [Fact]
    public async Task Hits_misses_errors_and_durations_are_counted()
    {
        await using CacheFixture fixture = CacheFixture.On(
            _clock,
            options => (options.OnOutage, options.OnOversize) = (OutageBehavior.Miss, OversizeBehavior.Drop),
            _server
        );
        var seen = new ConcurrentQueue<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "CamCube.Client.Cache" && instrument.Meter.Scope == fixture.Meters)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>(
            (instrument, value, tags, _) => seen.Enqueue($"{instrument.Name} {value} {Text(tags)}".Trim())
        );
        listener.SetMeasurementEventCallback<double>(
            (instrument, value, tags, _) => seen.Enqueue($"{instrument.Name} {value} {Text(tags)}")
        );
        listener.Start();

        IBufferDistributedCache cache = fixture.Cache;
        await cache.SetStringAsync("a", "x");
        _server.React = _ =>
        {
            _clock.Advance(TimeSpan.FromMilliseconds(250));
            return Reaction.Answer;
        };
        await cache.GetAsync("a");
        await cache.GetAsync("b");
        await cache.RefreshAsync("a");
        await cache.RemoveAsync("a");
        await cache.SetAsync("a", new byte[2 << 20], new());
        _server.React = _ => new Reaction("SERVER_ERROR no\r\n");
        await cache.GetAsync("a");
        await _server.StopAsync();
        await cache.GetAsync("a");

        Assert.Equal(
            [
                "camcube.client.cache.duration 0 operation=set",
                "camcube.client.cache.duration 0.25 operation=get",
                "camcube.client.cache.hits 1",
                "camcube.client.cache.duration 0.25 operation=get",
                "camcube.client.cache.misses 1",
                "camcube.client.cache.duration 0.25 operation=refresh",
                "camcube.client.cache.duration 0.25 operation=remove",
                "camcube.client.cache.errors 1 reason=too_large",
                "camcube.client.cache.duration 0.5 operation=set",
                "camcube.client.cache.duration 0 operation=get",
                "camcube.client.cache.errors 1 reason=refused",
                "camcube.client.cache.duration 0 operation=get",
                "camcube.client.cache.errors 1 reason=no_server",
            ],
            seen
        );
        Assert.Equal(
            "6204: A value of 2097152 bytes was not cached: SERVER_ERROR object too large for cache",
            Assert.Single(fixture.Log.Of(6204))
        );
    }

    [Fact]
    public async Task A_value_above_the_clients_own_limit_is_not_sent()
    {
        await using CacheFixture fixture = CacheFixture.On(_clock, options => options.MaxValueLength = 10, _server);
        await fixture.Cache.SetAsync(
            "a",
            new byte[10],
            new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(9) }
        );
        Assert.Equal(10, (await fixture.Cache.GetAsync("a"))!.Length);
        CamCubeCacheException error = await Assert.ThrowsAsync<CamCubeCacheException>(() =>
            fixture.Cache.SetAsync("a", new byte[11], new DistributedCacheEntryOptions())
        );
        Assert.Equal(
            (CacheFailure.TooLarge, "The value of 11 bytes is too large for the cache: MaxValueLength is 10."),
            (error.Failure, error.Message)
        );
        Assert.Null(await fixture.Cache.GetAsync("a"));
        Assert.Single(_server.Lines, line => line.StartsWith("ms", StringComparison.Ordinal));
    }

    private static string Text(ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        tags.Length == 0 ? "" : $"{tags[0].Key}={tags[0].Value}";
}
