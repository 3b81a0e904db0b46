namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class StatisticsTests
{
    private readonly FakeCache _cache = new();
    private readonly MemoryClient _client;

    public StatisticsTests() => _client = new MemoryClient(new FakeGate(_cache));

    [Theory]
    [InlineData("stats\r\n", true)]
    [InlineData("stats server\r\n", false)]
    public async Task Statistics_are_the_caches_and_then_the_front_ends(string command, bool wholeCube)
    {
        await _client.SendAsync(command);
        string[] lines = (await _client.FinishAsync()).Split("\r\n");
        Assert.Equal([wholeCube], _cache.StatisticsAsked);
        Assert.Equal("STAT curr_items 7", lines[0]);
        Assert.Equal("STAT uptime 5", lines[1]);
        Assert.Contains("STAT curr_connections 1", lines);
        Assert.Contains("STAT version 1.6.18-camcube-0.1.0", lines);
        Assert.Contains($"STAT bytes_read {command.Length}", lines);
        Assert.Equal(["END", ""], lines[^2..]);
    }

    [Fact]
    public async Task A_name_of_the_cache_is_not_repeated()
    {
        _cache.Statistics.Add(new CacheStatistic("version", "of the cache"));
        await _client.SendAsync("stats\r\n");
        string text = await _client.FinishAsync();
        Assert.Equal(2, text.Split("STAT version ").Length);
        Assert.Contains("STAT version of the cache\r\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Settings_are_those_of_the_options()
    {
        await _client.SendAsync("stats settings\r\n");
        string text = await _client.FinishAsync();
        Assert.Contains("STAT maxconns 1024\r\n", text, StringComparison.Ordinal);
        Assert.Contains("STAT item_size_max 1048576\r\n", text, StringComparison.Ordinal);
        Assert.Contains("STAT inter 127.0.0.1\r\n", text, StringComparison.Ordinal);
        Assert.EndsWith("\r\nEND\r\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reset_clears_the_front_ends_counters()
    {
        await _client.SendAsync("version\r\n");
        await _client.SendAsync("stats reset\r\n");
        Assert.Equal("VERSION 1.6.18-camcube-0.1.0\r\nRESET\r\n", await _client.FinishAsync());
        Assert.Equal("RESET\r\n".Length, _client.Context.Traffic.BytesWritten);
    }

    [Theory]
    [InlineData("stats sizes\r\n", "STAT sizes_status disabled\r\nEND\r\n")]
    [InlineData("stats cachedump 192 1\r\n", "CLIENT_ERROR stats cachedump not allowed\r\n")]
    [InlineData("stats cachedump 1 1\r\n", "CLIENT_ERROR stats cachedump not allowed\r\n")]
    public async Task What_is_not_kept_is_not_made_up(string command, string reply)
    {
        await _client.SendAsync(command);
        Assert.Equal(reply, await _client.FinishAsync());
    }
}
