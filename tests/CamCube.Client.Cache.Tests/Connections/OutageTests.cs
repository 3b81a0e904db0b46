using System.Buffers;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests.Connections;

/// <summary>No server answers.</summary>
public sealed class OutageTests : IAsyncLifetime
{
    private readonly TestClock _clock = new();
    private readonly FakeServer _server;

    public OutageTests() => _server = new FakeServer(_clock);

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task It_is_told_and_logged_once_and_ends_when_the_server_is_back()
    {
        await using CacheFixture fixture = CacheFixture.On(_clock, null, _server);
        await fixture.Cache.SetStringAsync("a", "x");
        await _server.StopAsync();
        for (int i = 0; i < 5; i++)
        {
            CamCubeCacheException error = await Assert.ThrowsAsync<CamCubeCacheException>(() =>
                fixture.Cache.GetAsync("a")
            );
            Assert.Equal(CacheFailure.NoServer, error.Failure);
            Assert.Equal($"No cache server answered: {_server.Address} (Connection refused).", error.Message);
            Assert.Throws<CamCubeCacheException>(() => fixture.Cache.Remove("a"));
        }

        _server.Start();
        await Assert.ThrowsAsync<CamCubeCacheException>(() => fixture.Cache.GetAsync("a"));
        _clock.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal("x", await fixture.Cache.GetStringAsync("a"));
        await fixture.Cache.RemoveAsync("a");
        Assert.Equal(
            [
                $"6200: Cache server {_server.Address} does not serve: Connection refused",
                $"6202: The cache fails: No cache server answered: {_server.Address} (Connection refused). "
                    + "Said once until it works again",
                $"6201: Cache server {_server.Address} serves again",
                "6203: The cache works again",
            ],
            fixture.Log.Lines
        );

        await _server.StopAsync();
        await Assert.ThrowsAsync<CamCubeCacheException>(() => fixture.Cache.GetAsync("a"));
        Assert.Equal(2, fixture.Log.Of(6202).Count());
    }

    [Fact]
    public async Task By_option_it_is_a_cache_that_lost_everything()
    {
        await using CacheFixture fixture = CacheFixture.On(
            _clock,
            options => options.OnOutage = OutageBehavior.Miss,
            _server
        );
        await fixture.Cache.SetStringAsync("a", "x");
        await _server.StopAsync();
        var into = new ArrayBufferWriter<byte>();
        Assert.Null(await fixture.Cache.GetAsync("a"));
        Assert.False(await fixture.Cache.TryGetAsync("a", into));
        Assert.Equal(0, into.WrittenCount);
        await fixture.Cache.SetStringAsync("a", "y");
        await fixture.Cache.RefreshAsync("a");
        fixture.Cache.Remove("a");
        Assert.Single(fixture.Log.Of(6202));

        _server.Start();
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal("x", await fixture.Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task A_failing_server_is_left_alone_twice_as_long_each_time()
    {
        _server.Greeting = "ERROR not today\r\n";
        await using CacheFixture fixture = CacheFixture.On(
            _clock,
            options => options.LongestBackoff = TimeSpan.FromMilliseconds(350),
            _server
        );
        int accepted = 0;
        foreach (int rest in new[] { 100, 200, 350, 350 })
        {
            await FailAsync(fixture);
            accepted++;
            Assert.Equal(accepted, _server.Accepted);
            _clock.Advance(TimeSpan.FromMilliseconds(rest - 1));
            await FailAsync(fixture);
            Assert.Equal(accepted, _server.Accepted);
            _clock.Advance(TimeSpan.FromMilliseconds(1));
        }

        _server.Greeting = "";
        await fixture.Cache.SetStringAsync("a", "x");

        // A good answer begins anew.
        _server.Greeting = "ERROR not today\r\n";
        _server.Disconnect();
        await FailAsync(fixture);
        _server.Greeting = "";
        _clock.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal("x", await fixture.Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task A_server_that_was_started_anew_costs_nobody_an_error()
    {
        await using CacheFixture fixture = CacheFixture.On(_clock, null, _server);
        for (int i = 0; i < 50; i++)
        {
            await fixture.Cache.SetStringAsync("a", $"{i}");
            _server.Disconnect();
            Assert.Equal($"{i}", await fixture.Cache.GetStringAsync("a"));
        }

        Assert.Empty(fixture.Log.Lines);
    }

    [Fact]
    public async Task A_connection_that_is_not_made_in_time_is_given_up()
    {
        // An address of nobody's network (RFC 5737): answers never come, or at once that there is no way.
        await using var fixture = new CacheFixture(_clock, options => options.Servers = ["192.0.2.1:11211"]);
        Task read = fixture.Cache.GetAsync("a");
        while (!read.IsCompleted)
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }

        CamCubeCacheException error = await Assert.ThrowsAsync<CamCubeCacheException>(() => read);
        Assert.Equal(CacheFailure.NoServer, error.Failure);
    }

    [Fact]
    public async Task After_disposal_nothing_is_open_and_every_operation_says_so()
    {
        CacheFixture fixture = CacheFixture.On(_clock, null, _server);
        await fixture.Cache.SetStringAsync("a", "x");
        _server.ForgetCommands();
        _server.React = _ => Reaction.Hold;
        Task open = fixture.Cache.GetAsync("a");
        await _server.WaitForCommandAsync();
        await fixture.DisposeAsync();
        await Assert.ThrowsAsync<CamCubeCacheException>(() => open);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => fixture.Cache.GetAsync("a"));
        Assert.Throws<ObjectDisposedException>(() => fixture.Cache.Set("a", [], new DistributedCacheEntryOptions()));
    }

    private static Task FailAsync(CacheFixture fixture) =>
        Assert.ThrowsAsync<CamCubeCacheException>(() => fixture.Cache.GetAsync("a"));
}
