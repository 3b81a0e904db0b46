using CamCube.Client.Cache.Entries;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests.Entries;

/// <summary>Windows in time that passes: client and server have the test's clock.</summary>
public sealed class SlidingTests : IAsyncLifetime
{
    private static readonly DistributedCacheEntryOptions TenSeconds = new()
    {
        SlidingExpiration = TimeSpan.FromSeconds(10),
    };
    private readonly TestClock _clock = new();
    private readonly FakeServer _server;
    private readonly CacheFixture _fixture;

    public SlidingTests()
    {
        _server = new FakeServer(_clock);
        _fixture = CacheFixture.On(_clock, null, _server);
    }

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync()
    {
        await _fixture.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task An_entry_lives_as_long_as_it_is_read_and_no_longer()
    {
        await _fixture.Cache.SetStringAsync("a", "x", TenSeconds);
        for (int i = 0; i < 10; i++)
        {
            _clock.Advance(TimeSpan.FromSeconds(9));
            Assert.Equal("x", await _fixture.Cache.GetStringAsync("a"));
        }

        _clock.Advance(TimeSpan.FromSeconds(10));
        await _fixture.Cache.RefreshAsync("a");
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal("x", await _fixture.Cache.GetStringAsync("a"));
        _clock.Advance(TimeSpan.FromSeconds(12));
        Assert.Null(await _fixture.Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task A_refresh_fetches_no_value_and_an_entry_with_its_full_window_is_not_touched()
    {
        await _fixture.Cache.SetStringAsync("a", "x", TenSeconds);
        await _fixture.Cache.RefreshAsync("a");
        Assert.Equal("x", await _fixture.Cache.GetStringAsync("a"));
        _clock.Advance(TimeSpan.FromSeconds(1));
        await _fixture.Cache.RefreshAsync("a");
        Assert.Equal(
            ["ms a 10 F2147483658 T11 O1", "mg a f t c O2", "mg a v f t c O3", "mg a f t c O4", "mg a c T11 O5"],
            _server.Lines
        );
    }

    [Fact]
    public async Task An_entry_without_a_window_is_one_command_a_read()
    {
        await _fixture.Cache.SetStringAsync("a", "x");
        Assert.Equal("x", await _fixture.Cache.GetStringAsync("a"));
        await _fixture.Cache.RefreshAsync("a");
        await _fixture.Cache.RemoveAsync("a");
        Assert.Equal(["ms a 2 F1286360577 T0 O1", "mg a v f t c O2", "mg a f t c O3", "md a O4"], _server.Lines);
    }

    [Fact]
    public async Task A_value_that_comes_between_read_and_touch_keeps_its_own_time()
    {
        await _fixture.Cache.SetStringAsync("a", "old", TenSeconds);
        var expiry = new EntryExpiry(_clock.GetUtcNow().AddSeconds(500), null);
        byte[] header = new byte[EntryExpiry.MaxHeaderLength];
        string value = string.Concat(header[..expiry.WriteHeader(header)].Select(one => (char)one)) + "new";
        bool isFirst = true;
        _server.React = line =>
        {
            if (line.Contains(" T", StringComparison.Ordinal) && isFirst)
            {
                isFirst = false;
                _server.Put("a", value, expiry.Flags, TimeSpan.FromSeconds(501));
            }

            return Reaction.Answer;
        };
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal("old", await _fixture.Cache.GetStringAsync("a"));
        Assert.Equal(_clock.GetUtcNow().AddSeconds(496), _server["a"]!.Expires);
        Assert.Equal("new", await _fixture.Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task A_read_gets_its_value_also_when_the_touch_fails()
    {
        await _fixture.Cache.SetStringAsync("a", "x", TenSeconds);
        _server.React = line =>
            line.Contains(" T", StringComparison.Ordinal) ? new Reaction("SERVER_ERROR no\r\n") : Reaction.Answer;
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal("x", await _fixture.Cache.GetStringAsync("a"));
    }
}
