using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>Commands that options allow or forbid.</summary>
public sealed class AdministrationTests
{
    private readonly FakeCache _cache = new();
    private readonly FakeProcess _process = new();
    private readonly MemcachedFrontEndOptions _options = new();

    [Theory]
    [InlineData("shutdown\r\n", false, "")]
    [InlineData("shutdown graceful\r\n", true, "")]
    public async Task Shutdown_ends_the_program_and_the_connection(string command, bool graceful, string reply)
    {
        _process.AllowsShutdown = true;
        MemoryClient client = Client();
        await client.SendAsync(command + "version\r\n");
        Assert.Equal(reply, await client.ReceiveToEndAsync());
        Assert.Equal([graceful], _process.Shutdowns);
    }

    [Theory]
    [InlineData(
        false,
        "shutdown\r\nshutdown foo\r\n",
        "ERROR: shutdown not enabled\r\nERROR: shutdown not enabled\r\n"
    )]
    [InlineData(
        true,
        "shutdown foo\r\nshutdown graceful now\r\n",
        "CLIENT_ERROR invalid shutdown mode\r\nCLIENT_ERROR invalid shutdown mode\r\n"
    )]
    public async Task Shutdown_does_nothing_where_it_is_not_allowed_or_not_understood(
        bool isAllowed,
        string request,
        string reply
    )
    {
        _process.AllowsShutdown = isAllowed;
        MemoryClient client = Client();
        await client.SendAsync(request);
        Assert.Equal(reply, await client.FinishAsync());
        Assert.Empty(_process.Shutdowns);
    }

    [Fact]
    public async Task Verbosity_sets_the_programs_and_is_told()
    {
        MemoryClient client = Client();
        await client.SendAsync("verbosity 9\r\nverbosity x\r\nverbosity 1 noreply\r\nstats settings\r\n");
        Assert.Contains("STAT verbosity 1\r\n", await client.FinishAsync(), StringComparison.Ordinal);
        Assert.Equal(1, _process.Verbosity);
    }

    [Fact]
    public async Task Flush_all_can_be_forbidden_in_both_protocols()
    {
        _options.AllowFlushAll = false;
        MemoryClient text = Client();
        await text.SendAsync("flush_all\r\nflush_all 5 noreply\r\nflush_all 0\r\n");
        Assert.Equal(
            "CLIENT_ERROR flush_all not allowed\r\nCLIENT_ERROR flush_all not allowed\r\n",
            await text.FinishAsync()
        );

        MemoryClient binary = Client();
        await binary.SendAsync(new BinaryFrame { Opcode = 0x08, Opaque = 7 }.ToRequest());
        BinaryFrame answer = Assert.Single(BinaryFrame.ReadAnswers(await binary.FinishAsync()));
        Assert.Equal((0x20, "Auth failure."), (answer.Status, answer.Value));
        Assert.Empty(_cache.Flushes);
    }

    [Theory]
    [InlineData(MemcachedProtocol.Ascii, "\u0080\n", "ERROR\r\n")]
    [InlineData(MemcachedProtocol.Binary, "version\r\nxxxxxxxxxxxxxxxxxxxx", "")]
    [InlineData(MemcachedProtocol.Auto, "version\r\n", "VERSION 1.6.18-camcube-0.1.0\r\n")]
    public async Task The_protocol_can_be_fixed(MemcachedProtocol protocol, string request, string reply)
    {
        _options.Protocol = protocol;
        MemoryClient client = Client();
        await client.SendAsync(request);
        Assert.Equal(reply, await client.FinishAsync());
    }

    [Theory]
    [InlineData("stats cachedump 1 1\r\n", "END\r\n")]
    [InlineData("stats cachedump 192 1\r\n", "CLIENT_ERROR Illegal slab id\r\n")]
    [InlineData("stats cachedump x 1\r\n", "CLIENT_ERROR bad command line format\r\n")]
    [InlineData("stats cachedump 1\r\n", "CLIENT_ERROR bad command line\r\n")]
    public async Task A_list_of_keys_must_be_asked_for_as_in_memcached(string command, string reply)
    {
        _options.AllowDump = true;
        MemoryClient client = Client();
        await client.SendAsync(command);
        Assert.Equal(reply, await client.FinishAsync());
    }

    [Fact]
    public async Task Prefixes_are_counted_from_the_start_with_the_delimiter_that_was_chosen()
    {
        (_options.PrefixDelimiter, _options.CountPrefixes) = ("/", true);
        MemoryClient client = Client();
        await client.SendAsync("get a/1\r\nget b:1\r\nstats detail dump\r\n");
        Assert.Equal("END\r\nEND\r\nPREFIX a get 1 hit 0 set 0 del 0\r\nEND\r\n", await client.FinishAsync());
    }

    [Fact]
    public async Task Reset_begins_the_caches_counts_anew_and_leaves_levels()
    {
        _cache.Statistics.AddRange([new("cmd_get", "10"), new("evictions", "3"), new("limit_maxbytes", "64")]);
        MemoryClient client = Client();
        await client.SendAsync("stats reset\r\n");
        await client.ExpectAsync("RESET\r\n");
        _cache.Statistics[2] = new CacheStatistic("cmd_get", "14");
        _cache.Statistics[3] = new CacheStatistic("evictions", "1");
        await client.SendAsync("stats\r\n");
        string text = await client.FinishAsync();
        Assert.Contains("STAT cmd_get 4\r\n", text, StringComparison.Ordinal);
        Assert.Contains("STAT curr_items 7\r\n", text, StringComparison.Ordinal);
        Assert.Contains("STAT limit_maxbytes 64\r\n", text, StringComparison.Ordinal);

        // It fell: the server that counted has started again.
        Assert.Contains("STAT evictions 1\r\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_is_too_large_is_counted_though_the_cache_never_saw_it()
    {
        _cache.Statistics.Add(new CacheStatistic("store_too_large", "2"));
        MemoryClient client = Client();
        string value = new('x', (1 << 20) + 1);
        await client.SendAsync($"add a 0 0 {value.Length}\r\n{value}\r\nstats\r\n");
        Assert.Contains("STAT store_too_large 3\r\n", await client.FinishAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Processor_time_is_the_programs()
    {
        MemoryClient client = Client();
        await client.SendAsync("stats\r\n");
        Assert.Contains(
            "STAT rusage_user 1.500000\r\nSTAT rusage_system 0.002000\r\n",
            await client.FinishAsync(),
            StringComparison.Ordinal
        );
    }

    private MemoryClient Client() => new(new FakeGate(_cache), _options, process: _process);
}
