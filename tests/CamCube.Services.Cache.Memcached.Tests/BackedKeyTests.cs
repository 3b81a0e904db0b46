using CamCube.Runtime.Services;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>memcached's protocols over keys that the key-value store keeps.</summary>
public sealed class BackedKeyTests : IAsyncLifetime
{
    private readonly LoopBed _bed;

    public BackedKeyTests()
    {
        // Every key of a transcript.
        var options = new CacheOptions
        {
            Backed = [.. Enumerable.Range('!', '~' - '!' + 1).Select(c => $"{(char)c}")],
            TakeoverDelay = TimeSpan.FromMilliseconds(10),
        };
        var store = new KeyValueOptions { Mode = "storage=memory,reads=lease" };
        _bed = new LoopBed(
            new TorusShape(2, 1, 1),
            ServiceDefinition.Of(
                typeof(CacheService),
                a => new CacheService(a.Server, options, a.Dependency<IKeyValueStore>())
            ),
            new MemcachedFrontEndOptions(),
            beside: ServiceDefinition.Of(typeof(KeyValueService), a => new KeyValueService(a.Server, store))
        );
    }

    public async ValueTask InitializeAsync()
    {
        await _bed.StartAsync();
        await CleanAsync();
    }

    public ValueTask DisposeAsync() => _bed.DisposeAsync();

    [Fact]
    public async Task All_transcripts_but_three_are_answered_as_over_the_caches_own_keys()
    {
        List<string> wrong = [];
        foreach ((string name, string request, string reply) in Transcripts.All)
        {
            if (name is "cas" or "incr and decr" or "flush_all")
            {
                // Tokens are the store's versions, numbers have no spaces behind them, and nothing is flushed: see
                // below.
                continue;
            }

            using SocketClient client = await _bed.ConnectAsync();
            try
            {
                await client.AskAsync(request + "version\r\n", reply);
            }
            catch (Exception e)
            {
                wrong.Add($"{name}: {e.Message}");
            }

            await CleanAsync();
        }

        Assert.Empty(wrong);
    }

    [Fact]
    public async Task Numbers_have_no_spaces_behind_them()
    {
        using SocketClient client = await _bed.ConnectAsync();
        await client.AskAsync(
            "incr n 1\r\nset n 7 0 2\r\n99\r\nincr n 1\r\ndecr n 1\r\nget n\r\nincr n 18446744073709551615\r\n"
                + "decr n 1000000\r\nget n\r\nset n 0 0 20\r\n18446744073709551615\r\nincr n 2\r\nget n\r\n",
            "NOT_FOUND\r\nSTORED\r\n100\r\n99\r\nVALUE n 7 2\r\n99\r\nEND\r\n98\r\n0\r\nVALUE n 7 1\r\n0\r\nEND\r\n"
                + "STORED\r\n1\r\nVALUE n 0 1\r\n1\r\nEND\r\n"
        );
    }

    [Fact]
    public async Task Flush_all_deletes_nothing()
    {
        using SocketClient client = await _bed.ConnectAsync();
        await client.AskAsync(
            "set a 0 0 1\r\nx\r\nflush_all\r\nget a\r\n",
            "STORED\r\nOK\r\nVALUE a 0 1\r\nx\r\nEND\r\n"
        );
    }

    [Fact]
    public async Task A_token_of_gets_is_one_of_cas_until_somebody_changes_the_key()
    {
        using SocketClient client = await _bed.ConnectAsync();
        await client.AskAsync("set a 3 0 1\r\nx\r\n", "STORED\r\n");
        string token = await TokenAsync(client);
        await client.AskAsync(
            $"cas a 0 0 1 1\r\ny\r\ncas a 4 0 1 {token}\r\ny\r\ncas a 0 0 1 {token}\r\nz\r\n"
                + $"cas b 0 0 1 {token}\r\nz\r\nget a\r\n",
            "EXISTS\r\nSTORED\r\nEXISTS\r\nNOT_FOUND\r\nVALUE a 4 1\r\ny\r\nEND\r\n"
        );
        Assert.NotEqual(token, await TokenAsync(client));
    }

    [Fact]
    public async Task Meta_commands_that_need_marks_are_refused_in_words_and_all_others_answered()
    {
        const string Refused = "SERVER_ERROR not possible with a key that the store keeps\r\n";
        using SocketClient client = await _bed.ConnectAsync();
        await client.AskAsync(
            "ms a 1 T100 F5\r\nx\r\nmg a v f t\r\nma n N0 J7 v\r\nma n v\r\nms a 1 MA\r\ny\r\nmg a v\r\nmg z N30 v\r\n"
                + "mg a R30 v\r\nmd a I\r\nmd a\r\nmg a v\r\n",
            "HD\r\nVA 1 f5 t100\r\nx\r\nVA 1\r\n7\r\nVA 1\r\n8\r\nHD\r\nVA 2\r\nxy\r\n"
                + $"{Refused}{Refused}{Refused}HD\r\nEN\r\n"
        );
    }

    [Fact]
    public async Task Without_a_store_each_key_is_refused_in_words()
    {
        const string Away = "SERVER_ERROR the store that keeps this key cannot do it now\r\n";
        await using var bed = new LoopBed(
            new TorusShape(2, 1, 1),
            new CacheOptions { Backed = ["s:"] },
            new MemcachedFrontEndOptions()
        );
        await bed.StartAsync();
        using SocketClient client = await bed.ConnectAsync();
        await client.AskAsync(
            "get s:a\r\nset s:a 0 0 1\r\nx\r\nmg s:a v\r\nincr s:a 1\r\ndelete s:a\r\n"
                + "set a 0 0 1\r\nx\r\nget a s:a\r\n",
            $"{Away}{Away}{Away}{Away}{Away}STORED\r\nVALUE a 0 1\r\nx\r\n{Away}"
        );
    }

    private static async Task<string> TokenAsync(SocketClient client)
    {
        await client.SendAsync("gets a\r\n");
        string answer = "";
        while (!answer.EndsWith("END\r\n", StringComparison.Ordinal))
        {
            answer += await client.ReceiveAsync(1);
        }

        return answer.Split("\r\n")[0].Split(' ')[4];
    }

    // Empties the store, once it is there.
    private async Task CleanAsync()
    {
        KeyValueStatus status = KeyValueStatus.Unavailable;
        while (status != KeyValueStatus.Done)
        {
            status = await _bed
                .Cube.GateOf(0)
                .CallAsync<IKeyValueStore, int, KeyValueStatus>(static (s, _) => CleanAsync(s), 0)
                .AsTask()
                .WaitAsync(LoopBed.TimeOut);
        }
    }

    private static async ValueTask<KeyValueStatus> CleanAsync(IKeyValueStore store)
    {
        KeyValuePage page = await store.ListAsync(new KeyValueKey(default));
        foreach (KeyValueListing listed in page.Keys)
        {
            await store.DeleteAsync(new KeyValueKey(listed.Key));
        }

        return page.Next is null ? page.Status : KeyValueStatus.Unavailable;
    }
}
