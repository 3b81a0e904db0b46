using StackExchange.Redis;

namespace CamCube.Services.KeyValue.Redis.Tests.Clients;

/// <summary>StackExchange.Redis as it is: the client of most .NET programs.</summary>
public sealed class StackExchangeTests
{
    [Theory]
    [InlineData(RedisProtocol.Resp2)]
    [InlineData(RedisProtocol.Resp3)]
    public async Task It_does_its_work_through_any_server(RedisProtocol protocol)
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);
        await using ConnectionMultiplexer one = await ConnectAsync(bed, 0, protocol);
        await using ConnectionMultiplexer other = await ConnectAsync(bed, 2, protocol);
        IDatabase here = one.GetDatabase(),
            there = other.GetDatabase();
        Assert.True(await here.StringSetAsync("a", "1"));
        Assert.Equal("1", await there.StringGetAsync("a"));
        Assert.False(await here.StringSetAsync("a", "2", when: When.NotExists));
        Assert.Equal("1", await here.StringSetAndGetAsync("a", "3"));
        Assert.Equal(45, await there.StringIncrementAsync("a", 42));
        Assert.Equal(1.5, await there.StringIncrementAsync("f", 1.5));
        Assert.True(await here.StringSetAsync("t", "x", TimeSpan.FromMilliseconds(60_500)));
        Assert.InRange((await there.KeyTimeToLiveAsync("t"))!.Value.TotalSeconds, 50, 60.5);
        Assert.True(await there.KeyPersistAsync("t"));
        Assert.Null(await here.KeyTimeToLiveAsync("t"));
        Assert.Equal(["3", RedisValue.Null], (await here.StringGetAsync(["none1", "a"])).Reverse().Select(Three));
        Assert.Equal(RedisType.String, await here.KeyTypeAsync("a"));
        Assert.Equal("x", await here.StringGetDeleteAsync("t"));
        Assert.False(await there.KeyExistsAsync("t"));
        Assert.Equal(["a", "f"], one.GetServers()[0].Keys(pattern: "*").Select(k => (string)k!).Order());
        await Assert.ThrowsAsync<RedisServerException>(() => here.ListLeftPushAsync("l", "x"));

        static RedisValue Three(RedisValue value) => value == "45" ? "3" : value;
    }

    [Fact]
    public async Task Its_transactions_hold_what_they_promise()
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);
        ConnectionMultiplexer[] clients = await Task.WhenAll(
            Enumerable.Range(0, 6).Select(i => ConnectAsync(bed, i % 3, RedisProtocol.Resp2))
        );

        // Each moves 1 from one account to another, where it was as it had read it.
        IDatabase first = clients[0].GetDatabase();
        await first.StringSetAsync("{bank}a", 1_000);
        await first.StringSetAsync("{bank}b", 0);
        int[] done = await Task.WhenAll(clients.Select(MoveAsync));
        Assert.Equal(1_000 - done.Sum(), (int)await first.StringGetAsync("{bank}a"));
        Assert.Equal(done.Sum(), (int)await first.StringGetAsync("{bank}b"));
        Assert.All(done, count => Assert.Equal(20, count));
        foreach (ConnectionMultiplexer client in clients)
        {
            await client.DisposeAsync();
        }

        static async Task<int> MoveAsync(ConnectionMultiplexer client)
        {
            IDatabase database = client.GetDatabase();
            int done = 0;
            while (done < 20)
            {
                RedisValue seen = await database.StringGetAsync("{bank}a");
                ITransaction transaction = database.CreateTransaction();
                transaction.AddCondition(Condition.StringEqual("{bank}a", seen));
                Task taking = transaction.StringSetAsync("{bank}a", (int)seen - 1),
                    giving = transaction.StringIncrementAsync("{bank}b");
                if (await transaction.ExecuteAsync())
                {
                    await Task.WhenAll(taking, giving);
                    done++;
                }
            }

            return done;
        }
    }

    [Fact]
    public async Task A_crowd_on_one_connection_is_answered_each_its_own()
    {
        await using RedisBed bed = await RedisBed.StartAsync(new TorusShape(3, 1, 1), copies: 3);
        await using ConnectionMultiplexer client = await ConnectAsync(bed, 1, RedisProtocol.Resp2);
        IDatabase database = client.GetDatabase();
        await Task.WhenAll(
            Enumerable
                .Range(0, 50)
                .Select(async who =>
                {
                    for (int i = 0; i < 40; i++)
                    {
                        string value = new((char)('a' + (who % 26)), (who * 97) + i);
                        await database.StringSetAsync($"k{who}", value);
                        Assert.Equal(value, await database.StringGetAsync($"k{who}"));
                        await database.StringIncrementAsync("all");
                    }
                })
        );
        Assert.Equal(2_000, (int)await database.StringGetAsync("all"));
    }

    private static async Task<ConnectionMultiplexer> ConnectAsync(RedisBed bed, int rank, RedisProtocol protocol) =>
        await ConnectionMultiplexer.ConnectAsync(
            new ConfigurationOptions
            {
                EndPoints = { { "127.0.0.1", bed.FrontEnds[rank].Port } },
                Protocol = protocol,
                ConnectTimeout = 30_000,
                AsyncTimeout = 60_000,
                SyncTimeout = 60_000,
            }
        );
}
