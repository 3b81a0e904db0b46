using System.Buffers;
using System.Text;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests.Contract;

/// <summary>
/// What .NET's documentation says of a distributed cache, through the interfaces that HybridCache calls, and what this
/// package promises on top. The servers keep time by the machine's clock and the client by the test's, which starts at
/// the same instant: what passes on the server is set from outside.
/// </summary>
public abstract class CacheContract : IAsyncDisposable
{
    private readonly Backend _backend;
    private readonly CacheFixture _fixture;

    // Tests of a class share the servers, not the keys.
    private readonly string _prefix = $"t{Guid.NewGuid():N}:";

    protected CacheContract(Backend backend)
    {
        _backend = backend;
        backend.Require();
        _fixture = new CacheFixture(
            new TestClock(),
            options =>
            {
                options.Servers = [.. backend.Addresses];
                options.KeyPrefix = _prefix;
                options.Tls = backend.Tls;

                // The test's clock moves on while real servers are at work; nothing here is to be late by it.
                (options.ConnectTimeout, options.AnswerTimeout) = (TimeSpan.FromHours(1), TimeSpan.FromHours(1));
            }
        );
    }

    private IBufferDistributedCache Cache => _fixture.Cache;

    public async ValueTask DisposeAsync()
    {
        if (_fixture is null)
        {
            return;
        }

        Assert.Empty(_fixture.Log.Lines);
        await _fixture.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task What_was_never_set_is_null()
    {
        Assert.Null(await Cache.GetAsync("a"));
        Assert.Null(Cache.Get("a"));
        Assert.Null(await Cache.GetStringAsync("a"));
        var into = new ArrayBufferWriter<byte>();
        Assert.False(await Cache.TryGetAsync("a", into));
        Assert.False(Cache.TryGet("a", into));
        Assert.Equal(0, into.WrittenCount);
        await Cache.RefreshAsync("a");
        await Cache.RemoveAsync("a");
        Cache.Refresh("a");
        Cache.Remove("a");
    }

    [Fact]
    public async Task What_was_set_is_read_by_all_methods()
    {
        byte[] value = [0, 1, 13, 10, 255];
        await Cache.SetAsync("a", value, new DistributedCacheEntryOptions());
        Cache.Set("b", new ReadOnlySequence<byte>(value), new DistributedCacheEntryOptions());
        foreach (string key in new[] { "a", "b" })
        {
            Assert.Equal(value, await Cache.GetAsync(key));
            Assert.Equal(value, Cache.Get(key));
            var into = new ArrayBufferWriter<byte>();
            Assert.True(await Cache.TryGetAsync(key, into));
            Assert.True(Cache.TryGet(key, into));
            Assert.Equal([.. value, .. value], into.WrittenSpan);
        }
    }

    [Fact]
    public async Task Strings_come_back()
    {
        await Cache.SetStringAsync("a", "Grüße, 世界 🌍");
        Cache.SetString("b", "");
        Assert.Equal("Grüße, 世界 🌍", Cache.GetString("a"));
        Assert.Equal("", await Cache.GetStringAsync("b"));
    }

    [Fact]
    public async Task An_empty_value_is_not_a_missing_one()
    {
        await Cache.SetAsync("a", []);
        Assert.Empty(Assert.IsType<byte[]>(await Cache.GetAsync("a")));
        Assert.True(await Cache.TryGetAsync("a", new ArrayBufferWriter<byte>()));
    }

    [Fact]
    public async Task The_last_value_counts_and_a_removed_one_is_gone()
    {
        await Cache.SetStringAsync("a", "one");
        await Cache.SetStringAsync("a", "three");
        Assert.Equal("three", await Cache.GetStringAsync("a"));
        await Cache.RemoveAsync("a");
        Assert.Null(await Cache.GetAsync("a"));
    }

    [Fact]
    public async Task Values_in_pieces_and_large_ones_come_back_whole()
    {
        foreach (int length in new[] { 1, 1000, 40_000, 900_000 })
        {
            byte[] value = new byte[length];
            new Random(length).NextBytes(value);
            await Cache.SetAsync("a", Pieces.Of(value, 700), new DistributedCacheEntryOptions());
            var into = new ArrayBufferWriter<byte>();
            Assert.True(await Cache.TryGetAsync("a", into));
            Assert.True(value.AsSpan().SequenceEqual(into.WrittenSpan));
        }
    }

    [Fact]
    public async Task Null_arguments_are_refused_by_name()
    {
        var none = new DistributedCacheEntryOptions();
        byte[] value = [1];
        await NullAsync("key", () => Cache.GetAsync(null!));
        await NullAsync("key", () => Cache.TryGetAsync(null!, new ArrayBufferWriter<byte>()).AsTask());
        await NullAsync("destination", () => Cache.TryGetAsync("a", null!).AsTask());
        await NullAsync("key", () => Cache.SetAsync(null!, value, none));
        await NullAsync("value", () => Cache.SetAsync("a", null!, none));
        await NullAsync("options", () => Cache.SetAsync("a", value, null!));
        await NullAsync("key", () => Cache.SetAsync(null!, new ReadOnlySequence<byte>(value), none).AsTask());
        await NullAsync("options", () => Cache.SetAsync("a", new ReadOnlySequence<byte>(value), null!).AsTask());
        await NullAsync("key", () => Cache.RefreshAsync(null!));
        await NullAsync("key", () => Cache.RemoveAsync(null!));
        Assert.Throws<ArgumentNullException>("key", () => Cache.Get(null!));
        Assert.Throws<ArgumentNullException>("key", () => Cache.Set(null!, value, none));
        Assert.Throws<ArgumentNullException>("value", () => Cache.Set("a", null!, none));
        Assert.Throws<ArgumentNullException>("key", () => Cache.Refresh(null!));
        Assert.Throws<ArgumentNullException>("key", () => Cache.Remove(null!));
    }

    [Fact]
    public async Task Keys_of_any_length_and_character_are_different_entries()
    {
        string[] keys =
        [
            "",
            " ",
            "a b",
            "a\r\nb",
            "\0",
            "\u007f",
            "ä",
            "世界",
            "🌍",
            "\ud83c",
            "\udf0d",
            "sha256-",
            new string('k', 250),
            new string('k', 251),
            new string('k', 65_536),
            new string('k', 65_535) + "l",
            "mg x v\r\n",
            "a\tb",
            "a",
        ];
        for (int i = 0; i < keys.Length; i++)
        {
            await Cache.SetStringAsync(keys[i], $"value {i}");
        }

        for (int i = 0; i < keys.Length; i++)
        {
            Assert.Equal($"value {i}", await Cache.GetStringAsync(keys[i]));
        }

        foreach (string key in keys)
        {
            await Cache.RemoveAsync(key);
        }

        foreach (string key in keys)
        {
            Assert.Null(await Cache.GetAsync(key));
        }
    }

    [Fact]
    public async Task Without_options_an_entry_stays_until_it_is_evicted()
    {
        await Cache.SetStringAsync("a", "x");
        using RawClient raw = Raw();
        Assert.Equal(-1, raw.SecondsLeft(_prefix + "a"));
    }

    [Fact]
    public async Task An_absolute_end_is_kept_to_the_tick()
    {
        var life = TimeSpan.FromMilliseconds(1500);
        await Cache.SetStringAsync(
            "relative",
            "x",
            new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = life }
        );
        await Cache.SetStringAsync(
            "absolute",
            "x",
            new DistributedCacheEntryOptions { AbsoluteExpiration = _fixture.Clock.GetUtcNow() + life }
        );
        DateTimeOffset elsewhere = (_fixture.Clock.GetUtcNow() + life).ToOffset(TimeSpan.FromHours(-9));
        await Cache.SetStringAsync("zone", "x", new DistributedCacheEntryOptions { AbsoluteExpiration = elsewhere });
        _fixture.Clock.Advance(life - TimeSpan.FromTicks(1));
        foreach (string key in new[] { "relative", "absolute", "zone" })
        {
            Assert.Equal("x", await Cache.GetStringAsync(key));
        }

        _fixture.Clock.Advance(TimeSpan.FromTicks(1));
        foreach (string key in new[] { "relative", "absolute", "zone" })
        {
            Assert.Null(await Cache.GetStringAsync(key));
        }
    }

    [Fact]
    public async Task An_absolute_end_is_told_to_the_server_so_that_it_frees_the_memory()
    {
        await Cache.SetStringAsync(
            "a",
            "x",
            new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(100) }
        );
        await Cache.SetStringAsync(
            "b",
            "x",
            new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromDays(60) }
        );
        await Cache.SetStringAsync(
            "c",
            "x",
            new DistributedCacheEntryOptions { AbsoluteExpiration = DateTimeOffset.MaxValue }
        );
        using RawClient raw = Raw();
        Assert.InRange(raw.SecondsLeft(_prefix + "a"), 60, 101);
        Assert.InRange(raw.SecondsLeft(_prefix + "b"), (60 * 86_400) - 60, (60 * 86_400) + 2);
        Assert.Equal(-1, raw.SecondsLeft(_prefix + "c"));
        Assert.Equal("x", await Cache.GetStringAsync("b"));
        Assert.Equal("x", await Cache.GetStringAsync("c"));
    }

    [Fact]
    public async Task The_earlier_of_two_absolute_ends_counts()
    {
        await Cache.SetStringAsync(
            "a",
            "x",
            new DistributedCacheEntryOptions
            {
                AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(10),
                AbsoluteExpiration = _fixture.Clock.GetUtcNow().AddSeconds(5),
            }
        );
        _fixture.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Null(await Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task An_end_that_has_passed_leaves_nothing_not_even_the_old_value()
    {
        await Cache.SetStringAsync("a", "old");
        await Cache.SetStringAsync(
            "a",
            "new",
            new DistributedCacheEntryOptions { AbsoluteExpiration = _fixture.Clock.GetUtcNow() }
        );
        Assert.Null(await Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task A_read_gives_an_entry_its_window_again()
    {
        await Cache.SetStringAsync(
            "a",
            "x",
            new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromSeconds(100) }
        );
        using RawClient raw = Raw();
        Assert.InRange(raw.SecondsLeft(_prefix + "a"), 60, 101);
        raw.LeaveOnly(_prefix + "a", 30);
        Assert.Equal("x", await Cache.GetStringAsync("a"));
        Assert.InRange(raw.SecondsLeft(_prefix + "a"), 60, 101);
        raw.LeaveOnly(_prefix + "a", 30);
        Assert.True(await Cache.TryGetAsync("a", new ArrayBufferWriter<byte>()));
        Assert.InRange(raw.SecondsLeft(_prefix + "a"), 60, 101);
    }

    [Fact]
    public async Task Refresh_gives_an_entry_its_window_again()
    {
        await Cache.SetStringAsync(
            "a",
            "x",
            new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromSeconds(100) }
        );
        await Cache.SetStringAsync(
            "fixed",
            "x",
            new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(100) }
        );
        using RawClient raw = Raw();
        raw.LeaveOnly(_prefix + "a", 30);
        raw.LeaveOnly(_prefix + "fixed", 30);
        await Cache.RefreshAsync("a");
        Cache.Refresh("fixed");
        Assert.InRange(raw.SecondsLeft(_prefix + "a"), 60, 101);
        Assert.InRange(raw.SecondsLeft(_prefix + "fixed"), 1, 30);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_window_never_goes_past_the_absolute_end(bool refresh)
    {
        await Cache.SetStringAsync(
            "a",
            "x",
            new DistributedCacheEntryOptions
            {
                SlidingExpiration = TimeSpan.FromSeconds(1000),
                AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(1500),
            }
        );
        using RawClient raw = Raw();
        Assert.InRange(raw.SecondsLeft(_prefix + "a"), 900, 1001);
        _fixture.Clock.Advance(TimeSpan.FromSeconds(1000));
        raw.LeaveOnly(_prefix + "a", 60);
        if (refresh)
        {
            await Cache.RefreshAsync("a");
        }
        else
        {
            Assert.Equal("x", await Cache.GetStringAsync("a"));
        }

        Assert.InRange(raw.SecondsLeft(_prefix + "a"), 400, 501);
        _fixture.Clock.Advance(TimeSpan.FromSeconds(500));
        Assert.Null(await Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task A_window_longer_than_the_absolute_end_is_cut_to_it()
    {
        await Cache.SetStringAsync(
            "a",
            "x",
            new DistributedCacheEntryOptions
            {
                SlidingExpiration = TimeSpan.FromSeconds(1000),
                AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(100),
            }
        );
        using RawClient raw = Raw();
        Assert.InRange(raw.SecondsLeft(_prefix + "a"), 30, 101);
    }

    [Fact]
    public async Task An_item_of_another_program_is_no_entry()
    {
        using RawClient raw = Raw();
        Assert.Equal("HD", raw.Ask($"ms {_prefix}a 5 T0\r\nhello"));
        Assert.Null(await Cache.GetAsync("a"));
        await Cache.RefreshAsync("a");
    }

    [Fact]
    public async Task A_value_that_is_too_large_is_told_and_the_old_one_is_gone()
    {
        await Cache.SetStringAsync("a", "old");
        CamCubeCacheException error = await Assert.ThrowsAsync<CamCubeCacheException>(() =>
            Cache.SetAsync("a", new byte[3 << 20], new DistributedCacheEntryOptions())
        );
        Assert.Equal(CacheFailure.TooLarge, error.Failure);
        Assert.Equal(
            "The value of 3145728 bytes is too large for the cache: SERVER_ERROR object too large for cache.",
            error.Message
        );
        Assert.Null(await Cache.GetAsync("a"));
        await Cache.SetStringAsync("a", "next");
        Assert.Equal("next", await Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task Many_callers_at_once_get_their_own_answers() =>
        await Task.WhenAll(
            Enumerable
                .Range(0, 100)
                .Select(async number =>
                {
                    for (int round = 0; round < 20; round++)
                    {
                        string value = new((char)('a' + (number % 26)), 1 + (number * 97) + (round * 203));
                        await Cache.SetStringAsync($"k{number}", value);
                        Assert.Equal(value, await Cache.GetStringAsync($"k{number}"));
                        Assert.Null(await Cache.GetStringAsync($"none{number}"));
                    }
                })
        );

    [Fact]
    public async Task A_cancelled_token_ends_every_operation_before_it_begins()
    {
        var gone = new CancellationToken(canceled: true);
        var into = new ArrayBufferWriter<byte>();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Cache.GetAsync("a", gone));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Cache.TryGetAsync("a", into, gone).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Cache.SetAsync("a", [1], new(), gone));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Cache.RefreshAsync("a", gone));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Cache.RemoveAsync("a", gone));
        Assert.Null(await Cache.GetAsync("a"));
    }

    private static async Task NullAsync(string parameter, Func<Task> call) =>
        await Assert.ThrowsAsync<ArgumentNullException>(parameter, call);

    private RawClient Raw() => new(_backend.Addresses[^1], _backend.Tls);
}
