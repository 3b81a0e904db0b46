using System.Globalization;
using System.Text;
using CamCube.Services.KeyValue.Redis.Settings;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>Many clients on all ports at once, some of which mean harm.</summary>
public sealed class CrowdTests
{
    private const int Clients = 24;
    private const int Rounds = 30;

    [Fact]
    public async Task Sums_and_transactions_come_out_right_beside_vandals()
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);

        // Of what is asked twice in the first second of a store in memory nobody can say whether it was done before.
        await Task.Delay(TimeSpan.FromSeconds(1.2));
        using CancellationTokenSource end = new();
        Task[] vandals = [.. Enumerable.Range(0, 4).Select(seed => VandalizeAsync(bed, seed, end.Token))];
        int[] moved = await Task.WhenAll(Enumerable.Range(0, Clients).Select(who => WorkAsync(bed, who)));
        await end.CancelAsync();
        await Task.WhenAll(vandals);
        using RedisClient client = await bed.ConnectAsync(2);
        Assert.Equal($"\"{Clients * Rounds}\"", await client.AskAsync("GET sum"));
        Assert.Equal($":{Clients * Rounds}", await client.AskAsync("STRLEN log"));
        string there = await client.AskAsync("MGET {bank}a {bank}b");
        int given = moved.Sum();
        Assert.Equal($"[\"{-given}\" \"{given}\"]", there);
    }

    // What others do must not be seen in one's own answers.
    private static async Task<int> WorkAsync(RedisBed bed, int who)
    {
        var random = new Random(who);
        using RedisClient client = await bed.ConnectAsync(who % 3);
        int moved = 0;
        for (int round = 0; round < Rounds; round++)
        {
            string own = new((char)('a' + who), random.Next(1, 3_000));
            await client.SendAsync(
                (byte[])
                    [
                        .. RedisClient.Encode("SET", $"own{who}", own),
                        .. RedisClient.Encode("INCR", "sum"),
                        .. RedisClient.Encode("GET", $"own{who}"),
                        .. RedisClient.Encode("APPEND", "log", "x"),
                        .. RedisClient.Encode("SET", $"own{who}", "1", "XX", "GET"),
                        .. RedisClient.Encode("INCRBYFLOAT", $"own{who}", "1.5"),
                    ]
            );
            Assert.Equal("+OK", await client.ReadAsync());
            Assert.StartsWith(":", await client.ReadAsync());
            Assert.Equal($"\"{own}\"", await client.ReadAsync());
            Assert.StartsWith(":", await client.ReadAsync());
            Assert.Equal($"\"{own}\"", await client.ReadAsync());
            Assert.Equal("\"2.5\"", await client.ReadAsync());
            if (round % 3 == 0)
            {
                moved += await MoveAsync(client) ? 1 : 0;
            }
        }

        return moved;
    }

    private static async Task<bool> MoveAsync(RedisClient client)
    {
        Assert.Equal("+OK", await client.AskAsync("WATCH {bank}a {bank}b"));
        int a = Number(await client.AskAsync("GET {bank}a")),
            b = Number(await client.AskAsync("GET {bank}b"));
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        Assert.Equal("+QUEUED", await client.AskAsync($"SET {{bank}}a {a - 1}"));
        Assert.Equal("+QUEUED", await client.AskAsync($"SET {{bank}}b {b + 1}"));
        string answer = await client.AskAsync("EXEC");
        Assert.True(answer is "[+OK +OK]" or "nil array", answer);
        return answer == "[+OK +OK]";
    }

    private static int Number(string answer) =>
        answer == "nil" ? 0 : int.Parse(answer.Trim('"'), CultureInfo.InvariantCulture);

    // Half requests, rubbish, transactions that nobody ends, and ends in the middle of them.
    private static async Task VandalizeAsync(RedisBed bed, int seed, CancellationToken end)
    {
        var random = new Random(seed);
        string[] kinds =
        [
            "*3\r\n$3\r\nSET\r\n$5\r\n{bank",
            "*1\r\n$2147483647\r\n",
            "*99999999\r\n",
            "MULTI\r\nINCR {bank}v\r\nINCR {bank}v\r\n",
            "WATCH {bank}a\r\nMULTI\r\nSET {bank}v 1\r\nEXEC\r\n",
            "\"\r\n",
            "GET \0\r\n",
            "EVAL x\r\nSUBSCRIBE y\r\nKEYS *\r\n",
            "CLIENT REPLY OFF\r\nSET {bank}v 3\r\n",
        ];
        while (!end.IsCancellationRequested)
        {
            using RedisClient client = await bed.ConnectAsync(random.Next(3));
            string what = kinds[random.Next(kinds.Length)];
            await client.SendAsync(what[..random.Next(1, what.Length + 1)]);
            if (random.Next(2) == 0)
            {
                client.Reset();
            }
            else if (random.Next(2) == 0)
            {
                byte[] noise = new byte[random.Next(1, 5_000)];
                random.NextBytes(noise);
                await client.SendAsync(noise);
            }
        }
    }

    [Fact]
    public async Task A_client_that_is_gone_in_exec_has_done_all_or_nothing()
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);
        using RedisClient other = await bed.ConnectAsync(1);
        for (int i = 0; i < 40; i++)
        {
            using (RedisClient client = await bed.ConnectAsync(i % 3))
            {
                await client.SendAsync($"MULTI\r\nSET {{x}}a {i}\r\nSET {{x}}b {i}\r\nEXEC\r\n");
                client.Reset();
            }

            string both = await other.AskAsync("MGET {x}a {x}b");
            await other.SendAsync("MULTI\r\nGET {x}a\r\nGET {x}b\r\nEXEC\r\n");
            await other.ReadAsync();
            await other.ReadAsync();
            await other.ReadAsync();
            string[] parts = (await other.ReadAsync()).Trim('[', ']').Split(' ');
            Assert.True(parts.Length == 2 && parts[0] == parts[1], $"{both}, then {string.Join(' ', parts)}");
        }
    }

    [Fact]
    public async Task Limits_are_told_and_nobody_else_notices()
    {
        var options = new RedisFrontEndOptions
        {
            MaxQueued = 10,
            MaxWatched = 100,
            MaxListed = 5,
            MaxScans = 2,
            MaxValueLength = 64 << 10,
            MaxRequestBytes = 100 << 10,
            MaxBufferedBytes = 1 << 20,
        };
        await using RedisBed bed = await RedisBed.StartAsync(options: options);
        using RedisClient client = await bed.ConnectAsync();
        using RedisClient other = await bed.ConnectAsync();
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        for (int i = 0; i < 10; i++)
        {
            Assert.Equal("+QUEUED", await client.AskAsync("INCR n"));
        }

        Assert.StartsWith("-ERR the transaction is too long", await client.AskAsync("INCR n"));
        Assert.StartsWith("-EXECABORT", await client.AskAsync("EXEC"));
        Assert.Equal("nil", await other.AskAsync("GET n"));
        string[] many = ["WATCH", .. Enumerable.Range(0, 101).Select(i => $"w{i}")];
        Assert.StartsWith("-ERR a client may watch 100 keys", await client.AskAsync(many));
        Assert.Equal("+OK", await client.AskAsync("UNWATCH"));
        for (int i = 0; i < 6; i++)
        {
            Assert.Equal("+OK", await other.AskAsync($"SET k{i} v"));
        }

        Assert.StartsWith("-ERR more than 5 keys fit", await client.AskAsync("KEYS *"));
        Assert.StartsWith("-NOPERM", await client.AskAsync("FLUSHDB"));

        // Requests that are never ended: together they have a limit, and who goes gives it back.
        List<RedisClient> holders = [];
        byte[] begun = [.. "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$65536\r\n"u8, .. new byte[60_000]];
        for (int i = 0; i < 30; i++)
        {
            RedisClient holder = await bed.ConnectAsync();
            holders.Add(holder);
            await holder.SendAsync(begun);
        }

        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Counters.RefusedForMemory >= 10);
        Assert.Equal("\"v\"", await other.AskAsync("GET k1"));
        holders.ForEach(static holder => holder.Dispose());
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Budget.Used == 0);
        Assert.Equal("+OK", await client.AskAsync("SET", "long", new string('x', 60_000)));
    }

    [Fact]
    public async Task Who_asks_for_much_and_does_not_read_holds_little()
    {
        var options = new RedisFrontEndOptions
        {
            MaxPipelined = 1_000,
            MaxBufferedBytes = 16 << 20,
            MaxAnswerBytes = 1 << 20,
        };
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), options, copies: 3);
        using RedisClient client = await bed.ConnectAsync();
        string half = new('h', 500_000),
            long3 = new('l', 3 << 20);
        Assert.Equal("+OK", await client.AskAsync("SET", "half", half));
        Assert.Equal("+OK", await client.AskAsync("SET", "long", long3));

        // Both in a pipeline, by some that do not read for a while: all of it comes, in its order.
        const int Asked = 60;
        byte[] halves = [.. Enumerable.Repeat(RedisClient.Encode("GET", "half"), Asked).SelectMany(b => b)];
        RedisClient[] idle = await Task.WhenAll(Enumerable.Range(0, 8).Select(i => bed.ConnectAsync(i % 3)));
        await Task.WhenAll(idle.Select(one => one.SendAsync(halves)));
        Assert.Equal("\"x\"", await client.AskAsync("ECHO x"));
        foreach (RedisClient one in idle)
        {
            for (int i = 0; i < Asked; i++)
            {
                Assert.Equal(half.Length + 2, (await one.ReadAsync()).Length);
            }

            one.Dispose();
        }

        // Three values and an answer of them have no room.
        string all = await client.AskAsync("MGET long long long");
        Assert.StartsWith("-OOM this server has no memory for this request or its answer", all);
        Assert.Equal(long3.Length + 2, (await client.AskAsync("GET long")).Length);

        // An answer is there before what was held for it is given back.
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Budget.Used == 0);
    }

    [Fact]
    public async Task Answers_that_multiply_are_refused_before_anything_is_done()
    {
        var options = new RedisFrontEndOptions
        {
            MaxValueLength = 1 << 20,
            MaxAnswerLength = 2 << 20,
            MaxBufferedBytes = 64 << 20,
        };
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), options, copies: 3);
        using RedisClient client = await bed.ConnectAsync();
        string half = new('h', 500_000);
        Assert.Equal("+OK", await client.AskAsync("SET", "{t}half", half));
        Assert.StartsWith(
            "-ERR the answer is longer",
            await client.AskAsync("MGET {t}half {t}half {t}half {t}half {t}half")
        );
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        Assert.Equal("+QUEUED", await client.AskAsync("SET {t}done yes"));
        for (int i = 0; i < 10; i++)
        {
            Assert.Equal("+QUEUED", await client.AskAsync("GET {t}half"));
        }

        Assert.StartsWith("-ERR the answer is longer", await client.AskAsync("EXEC"));
        Assert.Equal("nil", await client.AskAsync("GET {t}done"));
        Assert.Equal($"[\"{half}\" \"{half}\"]", await client.AskAsync("MGET {t}half {t}half"));
    }

    [Fact]
    public async Task Who_never_reads_a_long_answer_has_it_counted_until_he_goes()
    {
        var options = new RedisFrontEndOptions { MaxBufferedBytes = 60 << 20 };
        await using RedisBed bed = await RedisBed.StartAsync(options: options);
        using RedisClient client = await bed.ConnectAsync();
        string value = new('v', 16 << 20);
        Assert.Equal("+OK", await client.AskAsync("SET", "long", value));

        // More than the system takes of each. Two find room: while a third is written, its value lies there, too.
        RedisClient[] idle = await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => bed.ConnectAsync(0, 4 << 10)));
        byte[] get = RedisClient.Encode("GET", "long");
        long answer = value.Length + $"${value.Length}\r\n\r\n".Length;
        for (int i = 0; i < idle.Length; i++)
        {
            await idle[i].SendAsync(get);
            int answered = Math.Min(i + 1, 2);
            await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Budget.Used == answered * answer);
        }

        Assert.StartsWith("-OOM", await client.AskAsync("GET long"));
        Assert.Equal("+PONG", await client.AskAsync("PING"));
        Assert.Equal("+OK", await client.AskAsync("SET small x"));
        Array.ForEach(idle, static one => one.Dispose());
        await RedisBed.EventuallyAsync(() => bed.FrontEnds[0].Context!.Budget.Used == 0);
        Assert.Equal(value.Length + 2, (await client.AskAsync("GET long")).Length);
    }

    [Fact]
    public async Task A_transaction_is_over_though_the_store_was_gone()
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);
        using RedisClient client = await bed.ConnectAsync();
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        Assert.Equal("+QUEUED", await client.AskAsync("SET k v"));
        await bed.Cube.StopServerAsync(0).AsTask().WaitAsync(RedisBed.Generous);
        Assert.StartsWith("-LOADING", await client.AskAsync("EXEC"));
        Assert.Equal("+PONG", await client.AskAsync("PING"));
        Assert.StartsWith("-LOADING", await client.AskAsync("GET k"));
        using RedisClient other = await bed.ConnectAsync(1);
        Assert.Equal("nil", await other.AskAsync("GET k"));
    }

    [Fact]
    public async Task One_key_that_a_crowd_changes_under_conditions_counts_each_once_though_a_server_dies()
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);
        Task<(int Done, int Unknown)>[] crowd = [.. Enumerable.Range(0, 16).Select(who => CountAsync(bed, who))];
        await Task.Delay(100);
        await bed.Cube.StopServerAsync(2).AsTask().WaitAsync(RedisBed.Generous);
        (int Done, int Unknown)[] all = await Task.WhenAll(crowd);
        using RedisClient client = await bed.ConnectAsync();
        double sum = double.Parse((await client.AskAsync("GET {c}sum")).Trim('"'), CultureInfo.InvariantCulture);
        double done = all.Sum(static one => one.Done) * 0.5,
            perhaps = all.Sum(static one => one.Unknown) * 0.5;
        Assert.InRange(sum, done, done + perhaps);
        Assert.True(done > 0);
    }

    // Half of them by one command, half by a transaction; on two servers, one of which asks whoever leads.
    private static async Task<(int Done, int Unknown)> CountAsync(RedisBed bed, int who)
    {
        (int done, int unknown) = (0, 0);
        using RedisClient client = await bed.ConnectAsync(who % 2);
        for (int i = 0; i < 40; i++)
        {
            string answer;
            if (who % 4 < 2)
            {
                answer = await client.AskAsync("INCRBYFLOAT {c}sum 0.5");
            }
            else
            {
                await client.SendAsync("MULTI\r\nINCRBYFLOAT {c}sum 0.5\r\nSETBIT {c}bits 7 1\r\nEXEC\r\n");
                await client.ReadAsync();
                await client.ReadAsync();
                await client.ReadAsync();
                answer = await client.ReadAsync();
            }

            done += answer[0] is '"' or '[' ? 1 : 0;
            unknown += answer.StartsWith("-UNKNOWN", StringComparison.Ordinal) ? 1 : 0;
            Assert.True(answer[0] is '"' or '[' || answer[..3] is "-UN" or "-TR", answer);
        }

        return (done, unknown);
    }

    [Fact]
    public async Task Users_may_what_their_rights_say()
    {
        string file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        await File.WriteAllTextAsync(
            file,
            "# users\nreader:read:r\n\nwriter:write:w:w\nroot:control:top\ndefault:write:d\n"
        );
        await using RedisBed bed = await RedisBed.StartAsync(options: new RedisFrontEndOptions { UserFile = file });
        using RedisClient client = await bed.ConnectAsync();
        Assert.Equal("-NOAUTH Authentication required.", await client.AskAsync("GET k"));
        Assert.Equal("-NOAUTH Authentication required.", await client.AskAsync("NOSUCH"));
        Assert.StartsWith("-NOAUTH", await client.AskAsync("HELLO 3"));
        Assert.StartsWith("-WRONGPASS", await client.AskAsync("AUTH reader w"));
        Assert.StartsWith("-WRONGPASS", await client.AskAsync("AUTH nobody r"));
        Assert.Equal("+OK", await client.AskAsync("AUTH reader r"));
        Assert.Equal("nil", await client.AskAsync("GET k"));
        Assert.StartsWith("-NOPERM", await client.AskAsync("SET k v"));
        Assert.StartsWith("-NOPERM", await client.AskAsync("FLUSHALL"));
        Assert.Equal("+OK", await client.AskAsync("MULTI"));
        Assert.StartsWith("-NOPERM", await client.AskAsync("SET k v"));
        Assert.StartsWith("-EXECABORT", await client.AskAsync("EXEC"));
        Assert.Equal("+OK", await client.AskAsync("AUTH writer w:w"));
        Assert.Equal("+OK", await client.AskAsync("SET k v"));
        Assert.StartsWith("-NOPERM", await client.AskAsync("FLUSHALL"));
        Assert.StartsWith("-NOPERM", await client.AskAsync("CLIENT LIST"));
        Assert.Equal("+OK", await client.AskAsync("AUTH d"));
        Assert.StartsWith("%[\"server\"", await client.AskAsync("HELLO 3 AUTH root top"));
        Assert.Equal("+OK", await client.AskAsync("FLUSHALL"));
        Assert.Equal("+RESET", await client.AskAsync("RESET"));
        Assert.StartsWith("-NOAUTH", await client.AskAsync("GET k"));
        File.Delete(file);
    }

    [Fact]
    public async Task Replies_can_be_turned_off()
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        using RedisClient client = await bed.ConnectAsync();
        await client.SendAsync("CLIENT REPLY SKIP\r\nSET a 1\r\nGET a\r\n");
        Assert.Equal("\"1\"", await client.ReadAsync());
        await client.SendAsync(
            "CLIENT REPLY OFF\r\nSET a 2\r\nGET a\r\nCLIENT REPLY SKIP\r\nPING\r\nCLIENT REPLY ON\r\n"
        );
        Assert.Equal("+OK", await client.ReadAsync());
        Assert.Equal("\"2\"", await client.AskAsync("GET a"));
        Assert.Equal("+OK", await client.AskAsync("QUIT"));
        Assert.Equal("", await client.ReadAsync());
    }

    [Theory]
    [InlineData("*1\r\n$-5\r\nPING\r\n", "-ERR Protocol error: invalid bulk length")]
    [InlineData("POST / HTTP/1.1\r\nHost: x\r\n\r\n", "")]
    [InlineData("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "-ERR wrong number of arguments for 'get' command")]
    [InlineData("\u0016\u0003\u0001\u0002\0\u0001\0\n", "-ERR unknown command*")]
    public async Task Who_speaks_something_else_is_told_or_closed(string said, string answer)
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        using RedisClient client = await bed.ConnectAsync();
        await client.SendAsync(Encoding.Latin1.GetBytes(said));
        string got = await client.ReadAsync();
        Assert.True(answer.EndsWith('*') ? got.StartsWith(answer[..^1], StringComparison.Ordinal) : got == answer, got);
        using RedisClient other = await bed.ConnectAsync();
        Assert.Equal("+PONG", await other.AskAsync("PING"));
    }

    [Fact]
    public async Task Long_values_go_whole_and_change_under_a_condition()
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);
        using RedisClient client = await bed.ConnectAsync(2);
        string value = string.Concat(Enumerable.Range(0, 300_000).Select(i => $"{i % 10}"));
        foreach (int length in (int[])[65_535, 65_536, 65_537, 300_000])
        {
            string some = value[..length];
            Assert.Equal("+OK", await client.AskAsync("SET", "long", some));
            Assert.Equal($":{length + 1}", await client.AskAsync("APPEND long x"));
            Assert.Equal($"\"{some}x\"", await client.AskAsync("GET long"));
            Assert.Equal($":{length + 1}", await client.AskAsync("SETRANGE long 0 y"));
            Assert.Equal($"\"y{some[1..5]}\"", await client.AskAsync("GETRANGE long 0 4"));
            Assert.Equal(":1", await client.AskAsync("EXPIRE long 100"));
            Assert.Equal(":100", await client.AskAsync("TTL long"));
            Assert.Equal(":1", await client.AskAsync("PERSIST long"));
            Assert.Equal($"\"y{some[1..]}x\"", await client.AskAsync("GETDEL long"));
        }

        string huge = string.Concat(Enumerable.Repeat(value, 10));
        Assert.Equal("+OK", await client.AskAsync("SET", "huge", huge));
        Assert.Equal($"\"{huge}\"", await client.AskAsync("GET huge"));
        Assert.Equal($"[nil \"{huge}\"]", await client.AskAsync("MGET none huge"));
        Assert.Equal($"\"{huge}\"", await client.AskAsync("SET", "huge", "small", "GET"));
    }
}
