using System.Globalization;
using System.Net.Sockets;
using CamCube.Services.KeyValue.Redis.Settings;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>Clients that look at others and close them, in the loop and on pool threads.</summary>
public sealed class ClientKillTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task One_is_closed_by_what_is_known_of_it_and_others_go_on(bool onPool)
    {
        await using RedisBed bed = await RedisBed.StartAsync(isPooled: onPool);
        using RedisClient asker = await bed.ConnectAsync();
        RedisClient[] crowd = await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => bed.ConnectAsync()));
        string[] ids = new string[crowd.Length];
        for (int i = 0; i < crowd.Length; i++)
        {
            Assert.Equal("+OK", await crowd[i].AskAsync($"CLIENT SETNAME c{i}"));
            ids[i] = (await crowd[i].AskAsync("CLIENT ID"))[1..];
        }

        string list = await asker.AskAsync("CLIENT LIST");
        Assert.All(ids, id => Assert.Contains($"id={id} addr=127.0.0.1:", list, StringComparison.Ordinal));
        Assert.Contains("name=c3 ", list, StringComparison.Ordinal);
        string one = await asker.AskAsync($"CLIENT LIST ID {ids[3]}");
        Assert.Contains("name=c3 ", one, StringComparison.Ordinal);
        Assert.DoesNotContain("name=c2 ", one, StringComparison.Ordinal);

        // Half of a request, and one that waits: both are nothing to who closes it.
        await crowd[0].SendAsync("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$100\r\nhalf");
        Assert.Equal(":1", await asker.AskAsync($"CLIENT KILL ID {ids[0]}"));
        await AssertClosedAsync(crowd[0]);
        Assert.Equal("+OK", await asker.AskAsync($"CLIENT KILL {Field(one, "addr")}"));
        await AssertClosedAsync(crowd[3]);
        Assert.Equal("-ERR No such client", await asker.AskAsync($"CLIENT KILL {Field(one, "addr")}"));
        Assert.Equal(":0", await asker.AskAsync($"CLIENT KILL ID {ids[0]}"));
        Assert.Equal(":0", await asker.AskAsync($"CLIENT KILL ADDR {Field(one, "addr")} TYPE normal"));
        Assert.Equal("+PONG", await crowd[1].AskAsync("PING"));

        // All at once but the one that asks; then itself, which is answered.
        Assert.Equal(":4", await asker.AskAsync($"CLIENT KILL LADDR {Field(one, "laddr")} USER default"));
        foreach (RedisClient gone in new[] { crowd[1], crowd[2], crowd[4], crowd[5] })
        {
            await AssertClosedAsync(gone);
        }

        Assert.Equal("+PONG", await asker.AskAsync("PING"));
        Assert.Equal(":1", await asker.AskAsync("CLIENT KILL TYPE normal SKIPME no"));
        await AssertClosedAsync(asker);
        using RedisClient last = await bed.ConnectAsync();
        Assert.DoesNotContain("name=c", await last.AskAsync("CLIENT LIST"), StringComparison.Ordinal);
        Array.ForEach(crowd, static client => client.Dispose());
    }

    [Fact]
    public async Task Who_closes_others_all_the_time_breaks_nothing()
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);
        using CancellationTokenSource end = new();
        Task vandal = Task.Run(async () =>
        {
            using RedisClient client = await bed.ConnectAsync();
            while (!end.IsCancellationRequested)
            {
                Assert.StartsWith(":", await client.AskAsync("CLIENT KILL TYPE normal"));
            }
        });
        int[] acknowledged = await Task.WhenAll(Enumerable.Range(0, 8).Select(who => CountAsync(bed, who)));
        await end.CancelAsync();
        await vandal;
        using RedisClient reader = await bed.ConnectAsync(1);
        for (int who = 0; who < acknowledged.Length; who++)
        {
            // What was asked for goes on, so there may be more than was acknowledged.
            string sum = (await reader.AskAsync($"GET sum{who}")).Trim('"');
            Assert.InRange(int.Parse(sum, CultureInfo.InvariantCulture), acknowledged[who], 1_000);
        }

        Assert.Equal(0, bed.FrontEnds[0].Context!.Counters.Failures);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_is_sent_behind_ones_own_end_is_neither_done_nor_answered(bool onPool)
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3, isPooled: onPool);
        using RedisClient other = await bed.ConnectAsync();
        Assert.Equal("+OK", await other.AskAsync("SET {t}k v"));
        string long1 = new('l', 200_000);
        Assert.Equal("+OK", await other.AskAsync("SET", "{t}long", long1));
        string get = $"${long1.Length}\r\n{long1}\r\n";
        (string Sent, string Answered)[] ends =
        [
            // On some of the servers EXEC has to ask another one, and goes on when more has been received.
            (
                "MULTI\r\nGET {t}k\r\nCLIENT KILL TYPE normal SKIPME no USER nobody\r\nCLIENT KILL ID own\r\nEXEC\r\n",
                "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n$1\r\nv\r\n:0\r\n:0\r\n"
            ),
            (
                "MULTI\r\nGET {t}k\r\nCLIENT KILL ID own SKIPME no\r\nSET {t}k v\r\nEXEC\r\n",
                "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n$1\r\nv\r\n:1\r\n+OK\r\n"
            ),
            ("GET {t}long\r\nGET {t}k\r\nGET {t}long\r\nQUIT\r\n", $"{get}$1\r\nv\r\n{get}+OK\r\n"),
            ("GET {t}long\r\nCLIENT KILL ID own SKIPME no\r\n", $"{get}:1\r\n"),
        ];
        const string Behind = "SET {t}behind yes\r\nPING\r\nGET {t}behind\r\n";
        for (int i = 0; i < ends.Length; i++)
        {
            for (int rank = 0; rank < 3; rank++)
            {
                using RedisClient client = await bed.ConnectAsync(rank);
                string id = (await client.AskAsync("CLIENT ID"))[1..];
                string sent = ends[i].Sent.Replace("own", id, StringComparison.Ordinal);
                await client.SendAsync(sent + (i == 0 ? "QUIT\r\n" : "") + Behind);
                Assert.Equal(ends[i].Answered + (i == 0 ? "+OK\r\n" : ""), await client.ReadToEndAsync());
                Assert.Equal("nil", await other.AskAsync("GET {t}behind"));
            }
        }
    }

    [Fact]
    public async Task Bad_terms_and_users_without_rights_are_told_why()
    {
        string file = Path.GetTempFileName();
        await File.WriteAllTextAsync(file, "writer:write:w\nroot:control:top\n");
        await using RedisBed bed = await RedisBed.StartAsync(options: new RedisFrontEndOptions { UserFile = file });
        using RedisClient root = await bed.ConnectAsync();
        using RedisClient writer = await bed.ConnectAsync();
        Assert.Equal("+OK", await root.AskAsync("AUTH root top"));
        Assert.Equal("+OK", await writer.AskAsync("AUTH writer w"));
        Assert.Equal("-NOPERM this user may not close other clients", await writer.AskAsync("CLIENT KILL ID 1"));
        foreach (
            (string terms, string answer) in new[]
            {
                ("ID 0", "-ERR client-id should be greater than 0"),
                ("ID x", "-ERR client-id should be greater than 0"),
                ("TYPE horse", "-ERR Unknown client type 'horse'"),
                ("SKIPME perhaps", "-ERR syntax error"),
                ("ID 1 ADDR", "-ERR syntax error"),
                ("COLOUR red", "-ERR syntax error"),
                ("nowhere", "-ERR No such client"),
                ("TYPE pubsub", ":0"),
                ("USER nobody", ":0"),
                ("ID 9223372036854775807", ":0"),
            }
        )
        {
            Assert.Equal(answer, await root.AskAsync($"CLIENT KILL {terms}"));
        }

        Assert.Equal(":1", await root.AskAsync("CLIENT KILL USER writer"));
        await AssertClosedAsync(writer);
        File.Delete(file);
    }

    private static async Task AssertClosedAsync(RedisClient client)
    {
        try
        {
            Assert.Equal("", await client.AskAsync("PING"));
        }
        catch (SocketException error)
        {
            Assert.True(error.SocketErrorCode is SocketError.ConnectionReset or SocketError.Shutdown, error.Message);
        }
    }

    private static async Task<int> CountAsync(RedisBed bed, int who)
    {
        int acknowledged = 0;
        for (int round = 0; round < 20; round++)
        {
            try
            {
                using RedisClient client = await bed.ConnectAsync(who % 3);
                for (int i = 0; i < 10; i++)
                {
                    acknowledged += (await client.AskAsync($"INCR sum{who}")).StartsWith(':') ? 1 : 0;
                }
            }
            catch (SocketException)
            {
                // It was closed.
            }
        }

        return acknowledged;
    }

    private static string Field(string facts, string name) =>
        facts.Split(' ').First(field => field.StartsWith(name + "=", StringComparison.Ordinal))[(name.Length + 1)..];
}
