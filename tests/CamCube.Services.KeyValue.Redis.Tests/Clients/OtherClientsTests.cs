using FreeRedis;

namespace CamCube.Services.KeyValue.Redis.Tests.Clients;

/// <summary>Two more clients of .NET as they are.</summary>
public sealed class OtherClientsTests
{
    [Fact]
    public async Task FreeRedis_does_its_work()
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        using var client = new FreeRedis.RedisClient($"127.0.0.1:{bed.FrontEnds[0].Port},poolsize=4");
        client.Set("a", "1");
        Assert.Equal("1", client.Get("a"));
        Assert.Equal(3, client.IncrBy("a", 2));
        client.MSet("{t}x", "1", "{t}y", "2");
        Assert.Equal(["1", "2", null], client.MGet("{t}x", "{t}y", "none"));
        client.SetEx("e", 60, "v");
        Assert.InRange(client.Ttl("e"), 50, 60);
        using FreeRedis.RedisClient.TransactionHook transaction = client.Multi();
        transaction.Incr("{t}x");
        transaction.Get("{t}y");
        object[] answers = transaction.Exec();
        Assert.Equal([2L, "2"], answers);
        using FreeRedis.RedisClient.PipelineHook pipe = client.StartPipe();
        pipe.Set("p", "q");
        pipe.Get("p");
        Assert.Equal("q", pipe.EndPipe()[1]);
        Assert.Equal(5, client.Keys("*").Length);
    }

    [Fact]
    public async Task CSRedis_does_its_work()
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        using var client = new CSRedis.CSRedisClient($"127.0.0.1:{bed.FrontEnds[0].Port},poolsize=4,preheat=1");
        Assert.True(await client.SetAsync("a", "1", 60));
        Assert.Equal("1", await client.GetAsync("a"));
        Assert.Equal(2, await client.IncrByAsync("a"));
        Assert.InRange(await client.TtlAsync("a"), 50, 60);
        Assert.Equal(1, await client.DelAsync("a"));
        Assert.False(await client.ExistsAsync("a"));
    }
}
