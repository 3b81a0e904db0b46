using System.Globalization;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Services.Cache.Memcached.Tests.Crowds;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A cube of 27 servers, of which one has a front end.</summary>
public sealed class OneFrontEndTests(ITestOutputHelper output)
{
    private const int Keys = 270,
        Clients = 6,
        Servers = 27,
        Victim = 13;

    private static readonly TorusShape Shape = new(3, 3, 3);

    [Fact]
    public async Task Servers_without_a_front_end_serve_the_cube_all_the_same()
    {
        await using var bed = new LoopBed(Shape, new CacheOptions(), new MemcachedFrontEndOptions());
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

        List<long> held = await HeldAsync(bed, Enumerable.Range(0, Servers));
        Assert.Equal(Keys, held.Sum());
        Assert.True(held.Skip(1).Count(items => items > 0) >= 20, string.Join(" ", held));
    }

    [Fact]
    public async Task A_crowd_is_answered_while_a_server_without_a_front_end_is_killed()
    {
        var options = new MemcachedFrontEndOptions { StallTimeout = 1, AllowFlushAll = false };

        // What is asked is answered within two seconds: of the loop's time, whatever else the machine does meanwhile.
        await using var bed = new LoopBed(Shape, new CacheOptions(), options, time: new PatientClock());
        await bed.StartAsync();
        output.WriteLine($"seed {LongRun.Seed}");
        var death = new Death(Clients);
        using var over = new CancellationTokenSource();
        Task hostile = new HostileClient(bed, LongRun.Seed).RunAsync(over.Token);
        RootsClient[] crowd =
        [
            .. Enumerable
                .Range(0, Clients)
                .Select(i => new RootsClient($"c{i}", Shape, Victim, death, new Random(LongRun.Seed + i))),
        ];
        await Task.WhenAll(crowd.Select(client => client.ComeAsync(bed)));
        List<long> before = await HeldAsync(bed, Enumerable.Range(0, Servers));
        Assert.All(before, items => Assert.Equal(crowd.Length * RootsClient.KeysPerRoot, items));

        Task working = Task.WhenAll(crowd.Select(client => client.WorkAsync()));
        await Task.WhenAny(death.Awaited, working);
        await bed.Cube.StopServerAsync(Victim);
        death.Happen();
        await working;
        await Task.WhenAll(crowd.Select(client => client.LeaveAsync()));

        await over.CancelAsync();
        await hostile;
        List<long> after = await HeldAsync(bed, Enumerable.Range(0, Servers).Where(rank => rank != Victim));
        Assert.Equal(before.Sum(), after.Sum());
        output.WriteLine($"lost with it: {crowd.Sum(client => client.Lost)} of {before[Victim]} items");
    }

    private static async Task<List<long>> HeldAsync(LoopBed bed, IEnumerable<int> ranks)
    {
        var held = new List<long>();
        foreach (int rank in ranks)
        {
            IReadOnlyList<CacheStatistic> lines = await bed
                .Cube.GateOf(rank)
                .CallAsync(static (ICache cache, bool whole) => cache.GetStatisticsAsync(whole), false)
                .AsTask()
                .WaitAsync(LoopBed.TimeOut);
            held.Add(long.Parse(lines.Single(line => line.Name == "curr_items").Value, CultureInfo.InvariantCulture));
        }

        return held;
    }
}
