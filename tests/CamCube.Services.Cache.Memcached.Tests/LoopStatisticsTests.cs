using System.Globalization;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>What a front end in the loops of two parts tells of its clients and its store.</summary>
public sealed class LoopStatisticsTests : IAsyncLifetime
{
    private readonly LoopBed _bed = new(
        new TorusShape(1, 1, 1),
        new CacheOptions
        {
            MemoryLimit = 1 << 20,
            MaxValueLength = 1 << 10,
            Evicts = false,
            UseCas = false,
        },
        new MemcachedFrontEndOptions { AllowDump = true, CommandsPerTurn = 2 },
        parts: 2
    );

    public ValueTask InitializeAsync() => _bed.StartAsync();

    public ValueTask DisposeAsync() => _bed.DisposeAsync();

    [Fact]
    public async Task Every_socket_is_told_with_its_state()
    {
        using SocketClient waiting = await ConnectAsync();
        await waiting.AskAsync("get a\r\n", "END\r\n");
        using SocketClient storing = await ConnectAsync();
        await storing.AskAsync("get a\r\nset a 0 0 6\r\n", "END\r\n");
        using SocketClient asking = await ConnectAsync();
        string text = await AskAsync(asking, "stats conns\r\n");
        string port = _bed.FrontEnd.Port.ToString(CultureInfo.InvariantCulture);
        Assert.Equal(1, Count(text, $":addr tcp:127.0.0.1:{port}\r\n"));
        Assert.Equal(3, Count(text, $":listen_addr tcp:127.0.0.1:{port}\r\n"));
        Assert.Equal(4, Count(text, ":addr tcp:127.0.0.1:"));
        foreach (string state in new[] { "conn_listening", "conn_read", "conn_nread", "conn_parse_cmd" })
        {
            Assert.Equal(1, Count(text, $":state {state}\r\n"));
        }
    }

    [Fact]
    public async Task Slabs_and_items_are_those_of_both_parts()
    {
        using SocketClient client = await ConnectAsync();
        for (int i = 0; i < 100; i++)
        {
            await client.AskAsync($"set key{i:D2} 0 0 5\r\nhello\r\n", "STORED\r\n");
        }

        string slabs = await AskAsync(client, "stats slabs\r\n");
        Assert.Contains("STAT 1:chunk_size 64\r\n", slabs, StringComparison.Ordinal);
        Assert.Contains("STAT 1:used_chunks 100\r\n", slabs, StringComparison.Ordinal);
        Assert.Contains("STAT 1:cmd_set 100\r\n", slabs, StringComparison.Ordinal);
        Assert.Contains("STAT active_slabs 1\r\n", slabs, StringComparison.Ordinal);
        Assert.Contains(
            "STAT items:1:number 100\r\n",
            await AskAsync(client, "stats items\r\n"),
            StringComparison.Ordinal
        );
        string settings = await AskAsync(client, "stats settings\r\n");
        Assert.Contains($"STAT maxbytes {2 * (1 << 20)}\r\n", settings, StringComparison.Ordinal);
        Assert.Contains("STAT num_threads 2\r\n", settings, StringComparison.Ordinal);
        Assert.Contains("STAT evictions off\r\n", settings, StringComparison.Ordinal);
        Assert.Contains("STAT cas_enabled no\r\n", settings, StringComparison.Ordinal);

        string dump = await AskAsync(client, "stats cachedump 1 0\r\n");
        Assert.Equal(100, Count(dump, "ITEM key"));
        Assert.Contains("ITEM key42 [5 b; 0 s]\r\n", dump, StringComparison.Ordinal);
        Assert.Equal(3, Count(await AskAsync(client, "stats cachedump 1 3\r\n"), "ITEM key"));
        Assert.Equal("END\r\n", await AskAsync(client, "stats cachedump 2 0\r\n"));
    }

    [Fact]
    public async Task Sizes_are_those_of_both_parts_from_when_a_client_asks_for_them()
    {
        using SocketClient client = await ConnectAsync();
        await client.AskAsync(
            "set before 0 0 1\r\nx\r\nstats sizes\r\n",
            "STORED\r\nSTAT sizes_status disabled\r\nEND\r\n"
        );
        await client.AskAsync("stats sizes_enable\r\n", "STAT sizes_status enabled\r\n");
        Assert.Contains(
            "STAT track_sizes yes\r\n",
            await AskAsync(client, "stats settings\r\n"),
            StringComparison.Ordinal
        );
        for (int i = 0; i < 20; i++)
        {
            await client.AskAsync(
                $"set key{i:D2} 0 0 {(i < 5 ? 40 : 5)}\r\n{new string('x', i < 5 ? 40 : 5)}\r\n",
                "STORED\r\n"
            );
        }

        Assert.Equal("STAT 64 15\r\nSTAT 96 5\r\nEND\r\n", await AskAsync(client, "stats sizes\r\n"));
        await client.AskAsync("stats sizes_disable\r\n", "STAT sizes_status disabled\r\n");
        Assert.Equal("STAT sizes_status disabled\r\nEND\r\n", await AskAsync(client, "stats sizes\r\n"));
    }

    [Fact]
    public async Task The_memory_limit_is_shared_by_both_parts()
    {
        using SocketClient client = await ConnectAsync();
        await client.AskAsync("cache_memlimit 64\r\n", "OK\r\n");
        Assert.Contains(
            $"STAT maxbytes {64 << 20}\r\n",
            await AskAsync(client, "stats settings\r\n"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            $"STAT limit_maxbytes {64 << 20}\r\n",
            await AskAsync(client, "stats\r\n"),
            StringComparison.Ordinal
        );
        string value = new('x', 1_000);
        for (int i = 0; i < 5_000; i++)
        {
            await client.AskAsync($"set key{i} 0 0 1000\r\n{value}\r\n", "STORED\r\n");
        }

        await client.AskAsync("cache_memlimit 7\r\n", "MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n");
        await client.AskAsync(
            "cache_memlimit 999999999\r\n",
            "MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust\r\n"
        );
        await client.AskAsync(
            "cache_memlimit 8 noreply\r\nget key4999\r\n",
            $"VALUE key4999 0 1000\r\n{value}\r\nEND\r\n"
        );
        Assert.Contains(
            $"STAT maxbytes {8 << 20}\r\n",
            await AskAsync(client, "stats settings\r\n"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Without_tokens_all_are_0_and_no_other_fits()
    {
        using SocketClient client = await ConnectAsync();
        await client.AskAsync(
            "set a 0 0 1\r\nx\r\ngets a\r\ncas a 0 0 1 5\r\ny\r\nget a\r\n",
            "STORED\r\nVALUE a 0 1 0\r\nx\r\nEND\r\nEXISTS\r\nVALUE a 0 1\r\nx\r\nEND\r\n"
        );
    }

    [Fact]
    public async Task A_client_that_sends_much_lets_others_have_their_turn_and_that_is_counted()
    {
        using SocketClient client = await ConnectAsync();
        await client.AskAsync(
            string.Concat(Enumerable.Repeat("version\r\n", 10)),
            string.Concat(Enumerable.Repeat("VERSION 1.6.18-camcube-0.1.0\r\n", 10))
        );
        string text = await AskAsync(client, "stats\r\n");
        string line = text.Split("\r\n").Single(one => one.StartsWith("STAT conn_yields ", StringComparison.Ordinal));
        Assert.InRange(int.Parse(line.Split(' ')[2], CultureInfo.InvariantCulture), 4, 5);
    }

    private static int Count(string text, string part) => text.Split(part).Length - 1;

    private static async Task<string> AskAsync(SocketClient client, string command)
    {
        await client.SendAsync(command);
        return await client.ReceiveUntilAsync("END\r\n");
    }

    private Task<SocketClient> ConnectAsync() => _bed.ConnectAsync();
}
