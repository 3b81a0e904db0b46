using System.Text;
using CamCube.Services.KeyValue.Redis.Settings;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>What a client means harm with costs bounded memory and bounded turns, while others are served.</summary>
public sealed class HostileTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_transactions_keep_for_clients_has_a_bound_and_goes_back(bool onPool)
    {
        var options = new RedisFrontEndOptions { MaxBufferedBytes = 1 << 20 };
        await using RedisBed bed = await RedisBed.StartAsync(options: options, isPooled: onPool);
        using RedisClient other = await bed.ConnectAsync();

        // Commands of four bytes: it is not the bytes that take the memory.
        using RedisClient queues = await bed.ConnectAsync();
        const int Many = 5_000;
        await queues.SendAsync("MULTI\r\n" + string.Concat(Enumerable.Repeat("PING\r\n", Many)) + "EXEC\r\n");
        Assert.Equal("+OK", await queues.ReadAsync());
        int queued = 0;
        for (int i = 0; i < Many; i++)
        {
            string answer = await queues.ReadAsync();
            queued += answer == "+QUEUED" ? 1 : 0;
            Assert.True(answer == "+QUEUED" || answer.StartsWith("-OOM", StringComparison.Ordinal), answer);
        }

        Assert.InRange(queued, 100, 2_100);
        Assert.StartsWith("-EXECABORT", await queues.ReadAsync());
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Budget.Used == 0);

        // Keys that are watched, by several commands and clients.
        RedisClient[] watchers = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => bed.ConnectAsync()));
        string[] watch = ["WATCH", .. Enumerable.Range(0, 10).Select(i => $"{new string('w', 40_000)}{i}")];
        string[] answers = new string[watchers.Length];
        for (int i = 0; i < watchers.Length; i++)
        {
            answers[i] = await watchers[i].AskAsync(watch);
        }

        Assert.Equal("+OK", answers[0]);
        Assert.StartsWith("-OOM", answers[^1]);
        Assert.Equal("+OK", await other.AskAsync("SET k v"));
        watchers[1].Reset();
        watchers[1].Dispose();
        Assert.Equal("+OK", await watchers[0].AskAsync("UNWATCH"));
        Assert.Equal("+OK", await watchers[2].AskAsync("UNWATCH"));
        Assert.Equal("+RESET", await watchers[3].AskAsync("RESET"));
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Budget.Used == 0);

        // One watched twice is one, and still counts.
        Assert.Equal("+OK", await watchers[0].AskAsync("WATCH k k k"));
        Assert.Equal("+OK", await watchers[0].AskAsync("WATCH k l"));
        Assert.Contains("watch=2", await watchers[0].AskAsync("CLIENT INFO"), StringComparison.Ordinal);
        Assert.Equal("+OK", await other.AskAsync("SET k w"));
        await watchers[0].SendAsync("MULTI\r\nGET k\r\nEXEC\r\n");
        Assert.Equal("+OK", await watchers[0].ReadAsync());
        Assert.Equal("+QUEUED", await watchers[0].ReadAsync());
        string end = await watchers[0].ReadAsync();
        Assert.True(end == "nil array" || end.StartsWith("-CROSSSLOT", StringComparison.Ordinal), end);
        Array.ForEach(watchers, static one => one.Dispose());
    }

    // One command, and no server of the cube takes this one for lost: what is dear is done in parts, or refused.
    [Theory]
    [InlineData("EXISTS", ":0")]
    [InlineData("TOUCH", ":0")]
    [InlineData("MGET", "[nil nil")]
    [InlineData("DEL", ":0")]
    [InlineData("UNLINK", ":0")]
    public async Task Others_have_their_turns_while_a_command_asks_for_very_many_keys(string command, string answer)
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        using RedisClient hostile = await bed.ConnectAsync();
        RedisClient[] crowd = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => bed.ConnectAsync()));
        string[] keys = [.. Enumerable.Range(0, 200_000).Select(static i => $"{i}")];
        byte[] request = RedisClient.Encode([command, .. keys]);

        // All but its end is there: what comes now is the work.
        await hostile.SendAsync(request[..^1]);
        long length = keys.Sum(static key => key.Length);
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Budget.Used >= length);
        await Task.WhenAll(crowd.Select(static one => one.AskAsync("PING")));
        await hostile.SendAsync(request[^1..]);
        Task<string> done = hostile.ReadAsync();
        int pongs = 0;
        while (!done.IsCompleted)
        {
            await Task.WhenAll(crowd.Select(static one => one.AskAsync("PING")));
            pongs++;
        }

        Assert.StartsWith(answer, await done);
        Assert.InRange(pongs, 10, int.MaxValue);
        Array.ForEach(crowd, static one => one.Dispose());
    }

    [Fact]
    public async Task What_is_about_too_many_keys_or_names_together_is_refused_and_nothing_is_done()
    {
        await using RedisBed bed = await RedisBed.StartAsync(options: new RedisFrontEndOptions { MaxTogether = 100 });
        using RedisClient client = await bed.ConnectAsync();
        const string Refused = "-ERR a command or transaction may be about 100 keys together (setting MaxTogether)";
        string[] pairs = [.. Enumerable.Range(0, 101).SelectMany(static i => (string[])[$"{{t}}{i}", "v"])];
        Assert.StartsWith(Refused, await client.AskAsync(["MSET", .. pairs]));
        Assert.Equal("+OK", await client.AskAsync(["MSET", .. pairs[2..]]));
        Assert.Equal("nil", await client.AskAsync("GET {t}0"));
        Assert.Equal(
            "+OK",
            await client.AskAsync(["WATCH", .. Enumerable.Range(0, 60).Select(static i => $"{{t}}{i}")])
        );
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        Assert.Equal("+QUEUED", await client.AskAsync(["MSET", .. pairs]));
        Assert.StartsWith(Refused, await client.AskAsync("EXEC"));

        // It is over, and the next one is done.
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        Assert.Equal("+QUEUED", await client.AskAsync(["MSET", .. pairs[2..]]));
        Assert.Equal("[+OK]", await client.AskAsync("EXEC"));
        string[] names = [.. Enumerable.Repeat("get", 100_000)];
        foreach (
            string[] what in (string[][])
                [
                    ["CONFIG", "GET"],
                    ["COMMAND", "DOCS"],
                    ["COMMAND", "INFO"],
                    ["INFO"],
                ]
        )
        {
            Assert.Contains("takes 1,023 arguments at most", await client.AskAsync([.. what, .. names]));
        }
    }

    // One transaction of what is dear, on values that are there already.
    [Theory]
    [InlineData(2_000, "BITCOUNT", "{t}long")]
    [InlineData(50, "LCS", "{t}a", "{t}b")]
    [InlineData(300, "COPY", "{t}long", "{t}other", "REPLACE")]
    public async Task Others_have_their_turns_while_a_transaction_works(int times, params string[] command)
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        using RedisClient hostile = await bed.ConnectAsync();
        RedisClient gone = await bed.ConnectAsync();
        RedisClient[] crowd = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => bed.ConnectAsync()));
        Assert.Equal(":8388608", await hostile.AskAsync("SETRANGE {t}long 8388607 x"));
        Assert.Equal(":3000", await hostile.AskAsync("SETRANGE {t}a 2999 x"));
        Assert.Equal(":3000", await hostile.AskAsync("SETRANGE {t}b 2999 x"));
        foreach (RedisClient one in (RedisClient[])[gone, hostile])
        {
            Assert.Equal("+OK", await one.AskAsync("MULTI"));
            for (int i = 0; i < times; i++)
            {
                Assert.Equal("+QUEUED", await one.AskAsync(command));
            }

            await one.SendAsync(RedisClient.Encode("EXEC"));
        }

        gone.Dispose();
        Task<string> done = hostile.ReadAsync();
        int pongs = 0;
        while (!done.IsCompleted)
        {
            await Task.WhenAll(crowd.Select(static one => one.AskAsync("PING")));
            pongs++;
        }

        // A long value is not put together with others: that is found out when all is worked out.
        Assert.StartsWith(command[0] == "COPY" ? "-ERR several keys" : "[", await done);
        Assert.InRange(pongs, 10, int.MaxValue);
        Array.ForEach(crowd, static one => one.Dispose());
    }

    // Each is small to ask for, and makes a value of eight megabytes.
    [Theory]
    [InlineData("COPY", "{t}long", "{t}#")]
    [InlineData("SETRANGE", "{t}#", "8388607", "x")]
    [InlineData("SETBIT", "{t}#", "67108863", "1")]
    public async Task Values_that_a_transaction_makes_are_counted_while_it_makes_them(params string[] command)
    {
        var options = new RedisFrontEndOptions { MaxBufferedBytes = 64 << 20 };
        await using RedisBed bed = await RedisBed.StartAsync(options: options);
        using RedisClient client = await bed.ConnectAsync();
        Assert.Equal(":8388608", await client.AskAsync("SETRANGE {t}long 8388607 x"));
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        for (int i = 0; i < 200; i++)
        {
            string[] one = [.. command.Select(word => word.Replace("#", $"{i}", StringComparison.Ordinal))];
            Assert.Equal("+QUEUED", await client.AskAsync(one));
        }

        long before = GC.GetTotalAllocatedBytes();
        Assert.StartsWith("-OOM", await client.AskAsync("EXEC"));
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, 400 << 20);
        Assert.Equal(":0", await client.AskAsync("EXISTS {t}0 {t}1 {t}199"));

        // It is over, and the next one is done.
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        Assert.Equal("+QUEUED", await client.AskAsync("SETRANGE {t}long 0 y"));
        Assert.Equal("[:8388608]", await client.AskAsync("EXEC"));
    }

    [Fact]
    public async Task Arguments_without_bytes_are_counted()
    {
        var options = new RedisFrontEndOptions { MaxBufferedBytes = 1 << 20 };
        await using RedisBed bed = await RedisBed.StartAsync(options: options);
        using RedisClient other = await bed.ConnectAsync();
        RedisClient[] hostile = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => bed.ConnectAsync()));
        byte[] begun = Encoding.ASCII.GetBytes(
            "*100000\r\n$6\r\nEXISTS\r\n" + string.Concat(Enumerable.Repeat("$0\r\n\r\n", 90_000))
        );
        foreach (RedisClient one in hostile)
        {
            await one.SendAsync(begun);
        }

        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Counters.RefusedForMemory >= 6);
        Assert.Equal("+PONG", await other.AskAsync("PING"));
        Array.ForEach(hostile, static one => one.Dispose());
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Budget.Used == 0);
    }

    [Fact]
    public async Task Who_asks_for_much_has_no_longer_turns_than_others()
    {
        var options = new RedisFrontEndOptions { CommandsPerTurn = 16 };
        await using RedisBed bed = await RedisBed.StartAsync(options: options);
        using RedisClient client = await bed.ConnectAsync();
        Assert.Equal("+PONG", await client.AskAsync("PING"));

        // All that the loop receives at once: so few commands are one turn, but not if each counts for five.
        const int Asked = 7;
        foreach ((string asked, int yields) in new[] { ("PING", 0), ("ECHO " + new string('e', 8_100), 1) })
        {
            long before = bed.FrontEnds[0].Context!.Traffic!.Yields;
            using SemaphoreSlim held = new(0),
                over = new(0);
            ValueTask<int> holding = bed
                .Cube.GateOf(0)
                .CallAsync<IKeyValueStore, (SemaphoreSlim Held, SemaphoreSlim Over), int>(
                    static (_, signals) =>
                    {
                        signals.Held.Release();
                        Assert.True(signals.Over.Wait(RedisBed.Generous));
                        return ValueTask.FromResult(0);
                    },
                    (held, over)
                );
            Assert.True(await held.WaitAsync(RedisBed.Generous));
            await client.SendAsync(string.Concat(Enumerable.Repeat(asked + "\r\n", Asked)));
            over.Release();
            await holding;
            for (int i = 0; i < Asked; i++)
            {
                Assert.False((await client.ReadAsync()).StartsWith('-'));
            }

            Assert.Equal(yields, bed.FrontEnds[0].Context!.Traffic!.Yields - before);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_takes_long_goes_one_by_one_and_is_answered_in_its_order(bool onPool)
    {
        await using RedisBed bed = await RedisBed.StartAsync(isPooled: onPool);
        RedisClient[] hostile = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => bed.ConnectAsync()));
        using RedisClient other = await bed.ConnectAsync();
        string value = string.Concat(Enumerable.Range(0, 1_200).Select(static i => $"{i % 7}"));
        Assert.Equal("+OK", await other.AskAsync("MSET", "{t}a", value, "{t}b", value));
        Assert.Equal("+OK", await other.AskAsync("SET", "{t}long", new string('l', 5 << 20)));
        const int Asked = 12;
        foreach (RedisClient one in hostile)
        {
            await one.SendAsync(
                string.Concat(
                    Enumerable
                        .Range(0, Asked)
                        .Select(static i =>
                            $"LCS {{t}}a {{t}}b LEN\r\nECHO {i}\r\nBITCOUNT {{t}}long\r\nCLIENT LIST\r\n"
                        )
                )
            );
        }

        Assert.Equal("+PONG", await other.AskAsync("PING"));
        hostile[0].Reset();
        hostile[0].Dispose();
        foreach (RedisClient one in hostile[1..])
        {
            for (int i = 0; i < Asked; i++)
            {
                Assert.Equal(":1200", await one.ReadAsync());
                Assert.Equal($"\"{i}\"", await one.ReadAsync());
                Assert.Equal($":{4L * (5 << 20)}", await one.ReadAsync());
                Assert.StartsWith("\"id=", await one.ReadAsync());
            }

            one.Dispose();
        }
    }

    [Fact]
    public async Task Names_have_a_bound()
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        using RedisClient client = await bed.ConnectAsync();
        string longest = new('n', 1_024),
            long1 = new('n', 1_025),
            huge = new('n', 5 << 20);
        foreach (string name in new[] { long1, huge })
        {
            Assert.StartsWith("-ERR Client names cannot", await client.AskAsync("CLIENT", "SETNAME", name));
            Assert.StartsWith("-ERR Client names cannot", await client.AskAsync("HELLO", "2", "SETNAME", name));
            Assert.StartsWith("-ERR lib-name cannot", await client.AskAsync("CLIENT", "SETINFO", "lib-name", name));
            Assert.StartsWith("-ERR unknown subcommand", await client.AskAsync("CLIENT", name));
            Assert.Equal("-ERR No such client", await client.AskAsync("CLIENT", "KILL", name));
        }

        Assert.Equal("+OK", await client.AskAsync("CLIENT", "SETNAME", longest));
        Assert.Equal($"\"{longest}\"", await client.AskAsync("CLIENT GETNAME"));
    }
}
