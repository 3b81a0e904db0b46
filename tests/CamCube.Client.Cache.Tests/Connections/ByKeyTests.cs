using System.Text;
using CamCube.Client.Cache.Connections;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests.Connections;

public sealed class ByKeyTests
{
    private static readonly string[] Names = [.. Enumerable.Range(1, 8).Select(i => $"10.0.0.{i}:11211")];

    [Fact]
    public async Task Each_key_has_one_server_and_no_other_is_asked()
    {
        var clock = new TestClock();
        await using var one = new FakeServer(clock);
        await using var two = new FakeServer(clock);
        await using CacheFixture fixture = CacheFixture.On(
            clock,
            options => options.Distribution = Distribution.ByKey,
            one,
            two
        );
        for (int i = 0; i < 100; i++)
        {
            await fixture.Cache.SetStringAsync($"k{i}", $"{i}");
        }

        for (int i = 0; i < 100; i++)
        {
            Assert.Equal($"{i}", await fixture.Cache.GetStringAsync($"k{i}"));
        }

        Assert.InRange(one.Lines.Count, 50, 150);

        await two.StopAsync();
        int lost = 0;
        for (int i = 0; i < 100; i++)
        {
            if (one[$"k{i}"] is not null)
            {
                Assert.Equal($"{i}", await fixture.Cache.GetStringAsync($"k{i}"));
            }
            else if (++lost > 0)
            {
                await Assert.ThrowsAsync<CamCubeCacheException>(() => fixture.Cache.GetAsync($"k{i}"));
            }
        }

        Assert.Equal(two.Lines.Count / 2, lost);
    }

    [Fact]
    public void Keys_are_spread_evenly()
    {
        var order = new KeyedOrder(Names);
        int[] counts = new int[Names.Length];
        for (int i = 0; i < 80_000; i++)
        {
            counts[order.ServerOf(Encoding.UTF8.GetBytes($"user:{i}"))]++;
        }

        Assert.All(counts, count => Assert.InRange(count, 9_600, 10_400));
    }

    [Fact]
    public void A_server_less_moves_only_its_own_keys_and_the_order_of_the_list_none()
    {
        var all = new KeyedOrder(Names);
        var fewer = new KeyedOrder(Names[..^1]);
        var reversed = new KeyedOrder(Names.Reverse());
        for (int i = 0; i < 10_000; i++)
        {
            byte[] key = Encoding.UTF8.GetBytes($"user:{i}");
            int server = all.ServerOf(key);
            Assert.Equal(Names.Length - 1 - server, reversed.ServerOf(key));
            if (server < Names.Length - 1)
            {
                Assert.Equal(server, fewer.ServerOf(key));
            }
        }
    }

    /// <summary>Clients of different versions share a pool: what one has written the other looks for in the same
    /// place.</summary>
    [Theory]
    [InlineData("a", 6)]
    [InlineData("user:1", 2)]
    [InlineData("user:2", 6)]
    [InlineData("session/0123456789abcdef0123456789abcdef", 2)]
    [InlineData("größe", 4)]
    public void A_key_has_the_server_that_it_always_had(string key, int server) =>
        Assert.Equal(server, new KeyedOrder(Names).ServerOf(Encoding.UTF8.GetBytes(key)));
}
