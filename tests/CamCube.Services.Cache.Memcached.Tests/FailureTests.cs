using System.Text;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class FailureTests
{
    private const string Unavailable = "SERVER_ERROR this server is cut off from the cube or stopping\r\n";
    private const string TimedOut = "SERVER_ERROR timed out, it is not known whether the change was made\r\n";
    private const string All =
        "set a 0 0 1\r\nx\r\nappend a 0 0 1\r\nx\r\nincr a 1\r\ndelete a\r\ntouch a 0\r\ncas a 0 0 1 1\r\nx\r\n";

    private readonly FakeCache _cache = new();
    private readonly FakeGate _gate;

    public FailureTests() => _gate = new FakeGate(_cache);

    [Theory]
    [InlineData(CacheStatus.TimedOut, TimedOut + TimedOut + TimedOut + TimedOut + TimedOut + TimedOut)]
    [InlineData(
        CacheStatus.Unavailable,
        Unavailable + Unavailable + Unavailable + Unavailable + Unavailable + Unavailable
    )]
    public async Task Changes_of_which_nothing_is_known_are_server_errors(CacheStatus status, string reply)
    {
        _cache.Fault = _ => new CacheReply(status);
        Assert.Equal(reply, await PlayAsync(All));
    }

    [Fact]
    public async Task Refusals_of_the_cache_are_memcacheds_lines()
    {
        _cache.Fault = _ => new CacheReply(CacheStatus.OutOfMemory);
        Assert.Equal("SERVER_ERROR out of memory storing object\r\n", await PlayAsync("set a 0 0 1\r\nx\r\n"));
        Assert.Equal("SERVER_ERROR out of memory\r\n", await PlayAsync("incr a 1\r\n"));
        _cache.Fault = _ => new CacheReply(CacheStatus.TooLarge);
        Assert.Equal("SERVER_ERROR object too large for cache\r\n", await PlayAsync("add a 0 0 1\r\nx\r\n"));
        Assert.Equal("NOT_STORED\r\n", await PlayAsync("append a 0 0 1\r\nx\r\n"));
        _cache.Fault = _ => new CacheReply((CacheStatus)200);
        Assert.Equal("SERVER_ERROR internal error\r\n", await PlayAsync("add a 0 0 1\r\nx\r\n"));
    }

    [Fact]
    public async Task A_flush_that_does_not_reach_all_says_so()
    {
        _cache.Fault = _ => new CacheReply(CacheStatus.TimedOut);
        Assert.Equal(TimedOut, await PlayAsync("flush_all 5\r\nflush_all -5 noreply\r\n"));
        Assert.Equal([5, 0], _cache.Flushes);
    }

    [Fact]
    public async Task A_key_that_times_out_is_a_miss_and_is_counted()
    {
        await PlayAsync("set a 0 0 1\r\nx\r\nset c 0 0 1\r\nz\r\n");
        _cache.Fault = request => Is(request, "b") ? new CacheReply(CacheStatus.TimedOut) : null;
        var client = new MemoryClient(_gate);
        await client.SendAsync("get a b c\r\nget b\r\ngat 0 b\r\n");
        Assert.Equal("VALUE a 0 1\r\nx\r\nVALUE c 0 1\r\nz\r\nEND\r\nEND\r\nEND\r\n", await client.FinishAsync());
        Assert.Equal(3, client.Context.Counters.GetTimeouts);
    }

    [Fact]
    public async Task A_get_on_a_server_that_is_cut_off_ends_with_an_error_in_place_of_END()
    {
        await PlayAsync("set a 0 0 1\r\nx\r\nset c 0 0 1\r\nz\r\n");
        _cache.Fault = request => Is(request, "b") ? new CacheReply(CacheStatus.Unavailable) : null;
        Assert.Equal(
            $"VALUE a 0 1\r\nx\r\n{Unavailable}VALUE c 0 1\r\nz\r\nEND\r\n",
            await PlayAsync("get a b c b\r\nget c\r\n")
        );
    }

    [Fact]
    public async Task A_cache_that_does_not_run_is_a_server_error_and_no_exception()
    {
        _gate.Failure = new ServiceUnavailableException("ICache");
        Assert.Equal(
            Unavailable + Unavailable + Unavailable + Unavailable,
            await PlayAsync("get a b\r\nset a 0 0 1\r\nx\r\nflush_all\r\nstats\r\n")
        );
        _gate.Mode = GateMode.Pool;
        Assert.Equal(Unavailable + Unavailable, await PlayAsync("get a b\r\nset a 0 0 1\r\nx\r\n"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_exception_is_logged_and_its_text_is_kept_from_the_client(bool later)
    {
        _gate.Mode = later ? GateMode.Pool : GateMode.Direct;
        _gate.Failure = new InvalidOperationException("secret");
        var client = new MemoryClient(_gate);
        await client.SendAsync("get a\r\nset a 0 0 1\r\nx\r\nversion\r\n");
        Assert.Equal(
            "SERVER_ERROR internal error\r\nSERVER_ERROR internal error\r\nVERSION 1.6.18-camcube-0.1.0\r\n",
            await client.FinishAsync()
        );
        Assert.Equal(2, client.Context.Counters.Failures);
        Assert.Equal(2, client.Log.Errors.Count(error => error.Contains("secret", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(0x00, CacheStatus.TimedOut, 0x01, "Not found")]
    [InlineData(0x00, CacheStatus.Unavailable, 0x86, "Temporary failure")]
    [InlineData(0x04, CacheStatus.TimedOut, 0x86, "Temporary failure")]
    [InlineData(0x04, CacheStatus.OutOfMemory, 0x82, "Out of memory allocating item")]
    [InlineData(0x14, CacheStatus.Unavailable, 0x86, "Temporary failure")]
    public async Task Binary_requests_hear_of_the_cubes_failures(
        int opcode,
        CacheStatus end,
        ushort status,
        string text
    )
    {
        var client = new MemoryClient(new FakeGate(new FakeCache { Fault = _ => new CacheReply(end) }));
        await client.SendAsync(new BinaryFrame { Opcode = (byte)opcode, Key = "a" }.ToRequest());
        BinaryFrame answer = Assert.Single(BinaryFrame.ReadAnswers(await client.FinishAsync()));
        Assert.Equal((status, text), (answer.Status, answer.Value));
    }

    [Theory]
    [InlineData("mg a v k", CacheStatus.TimedOut, "EN ka\r\n")]
    [InlineData("mg a q", CacheStatus.TimedOut, "")]
    [InlineData("mg a q", CacheStatus.Unavailable, "SERVER_ERROR this server is cut off from the cube or stopping\r\n")]
    [InlineData(
        "md a q",
        CacheStatus.TimedOut,
        "SERVER_ERROR timed out, it is not known whether the change was made\r\n"
    )]
    [InlineData("ma a", CacheStatus.OutOfMemory, "SERVER_ERROR out of memory\r\n")]
    public async Task Meta_commands_hear_of_the_cubes_failures(string line, CacheStatus end, string reply)
    {
        var client = new MemoryClient(new FakeGate(new FakeCache { Fault = _ => new CacheReply(end) }));
        await client.SendAsync(line + "\r\n");
        Assert.Equal(reply, await client.FinishAsync());
    }

    [Fact]
    public async Task A_line_without_end_is_closed_silently_as_in_memcached()
    {
        Assert.Equal("", await PlayAsync(new string('x', 2048)));
        Assert.Equal("ERROR\r\n", await PlayAsync(new string('x', 2048), "\r\n"));
        Assert.Equal("", await PlayAsync(new string('x', 2049), "\r\nversion\r\n"));
        Assert.Equal("", await PlayAsync("gat 0 " + new string('k', 2049), "\r\nversion\r\n"));
        Assert.Equal("", await PlayAsync(new string(' ', 2049), "\r\nversion\r\n"));
        Assert.Equal("", await PlayAsync(new string(' ', 101) + "get " + new string('k', 2049), "\r\nversion\r\n"));
        Assert.Equal("ERROR\r\n", await PlayAsync(new string('x', 4000) + "\r\n"));
    }

    [Fact]
    public async Task A_line_of_keys_may_be_long_but_not_without_limit()
    {
        string keys = string.Concat(Enumerable.Repeat("k ", 10_000));
        Assert.Equal("END\r\n", await PlayAsync(new string(' ', 100) + "get " + keys, keys, "\r\n"));
        Assert.Equal("END\r\n", await PlayAsync("gets " + keys, keys, "\r\n"));
        Assert.Equal(
            "CLIENT_ERROR line too long\r\n",
            await PlayAsync(
                new MemcachedFrontEndOptions { MaxLineLength = 30_000 },
                "get " + keys,
                keys,
                "\r\nversion\r\n"
            )
        );
    }

    private static bool Is(CacheRequest request, string key) => Encoding.Latin1.GetString(request.Key.Span) == key;

    private Task<string> PlayAsync(params string[] pieces) => PlayAsync(new MemcachedFrontEndOptions(), pieces);

    private async Task<string> PlayAsync(MemcachedFrontEndOptions options, params string[] pieces)
    {
        var client = new MemoryClient(_gate, options);
        try
        {
            foreach (string piece in pieces)
            {
                await client.SendAsync(piece);
            }
        }
        catch (InvalidOperationException)
        {
            // The connection was closed at an earlier piece.
        }

        return await client.FinishAsync();
    }
}
