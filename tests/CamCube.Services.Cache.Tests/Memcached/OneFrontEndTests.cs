using System.Globalization;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Tests.Memcached;

/// <summary>A cube of 27 servers, of which one has a front end.</summary>
public sealed class OneFrontEndTests
{
    private const int Keys = 270;

    [Fact]
    public async Task Servers_without_a_front_end_serve_the_cube_all_the_same()
    {
        await using var bed = new LoopBed(new TorusShape(3, 3, 3), new CacheOptions(), new MemcachedFrontEndOptions());
        await bed.StartAsync();
        using SocketClient client = await bed.ConnectAsync();
        for (int i = 0; i < Keys; i++)
        {
            await client.AskAsync($"set key{i} 0 0 4\r\n{i:D4}\r\n", "STORED\r\n");
        }

        for (int i = 0; i < Keys; i++)
        {
            await client.AskAsync($"get key{i}\r\n", $"VALUE key{i} 0 4\r\n{i:D4}\r\nEND\r\n");
        }

        var held = new List<long>();
        for (int rank = 0; rank < 27; rank++)
        {
            IReadOnlyList<CacheStatistic> lines = await bed
                .Cube.GateOf(rank)
                .CallAsync(static (ICache cache, bool whole) => cache.GetStatisticsAsync(whole), false)
                .AsTask()
                .WaitAsync(LoopBed.TimeOut);
            held.Add(long.Parse(lines.Single(line => line.Name == "curr_items").Value, CultureInfo.InvariantCulture));
        }

        Assert.Equal(Keys, held.Sum());
        Assert.True(held.Skip(1).Count(items => items > 0) >= 20, string.Join(" ", held));
    }
}
