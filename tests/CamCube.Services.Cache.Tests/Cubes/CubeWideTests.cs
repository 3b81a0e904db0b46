using System.Globalization;
using System.Text.Json;
using CamCube.Services.Cache.Counting;

namespace CamCube.Services.Cache.Tests.Cubes;

public sealed class CubeWideTests
{
    private static readonly Coordinate A = new(0, 0, 0);

    [Fact]
    public void Flush_empties_every_server_before_it_answers()
    {
        using var cube = new CacheCube(3, 3, 3);
        Fill(cube);
        Assert.Equal(CacheStatus.Done, cube.Cube.Await(cube[5].FlushAllAsync(0)).Status);
        for (int i = 0; i < 200; i++)
        {
            Assert.Null(cube.Get(cube.Cube.Shape.At(i % 27), $"k{i}"));
        }

        Assert.Equal(
            (1, 200, 0),
            (cube.Sum(CacheCount.CmdFlush), cube.Sum(CacheCount.GetFlushed), cube.Sum(CacheCount.ItemsDropped))
        );
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((0, 200), (cube.Sum(CacheCount.CurrItems), cube.Sum(CacheCount.Reclaimed)));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_later_flush_is_newer_for_thousands_of_years_and_never_another_servers()
    {
        using var cube = new CacheCube(2, 2, 1);
        ulong last = 0;
        for (int year = 2026; year < 9_999; year += 7)
        {
            long milliseconds = new DateTimeOffset(year, 6, 5, 0, 0, 0, TimeSpan.Zero).ToUnixTimeMilliseconds();
            ulong[] stamps = [.. Enumerable.Range(0, 4).Select(rank => cube[rank].Flush.NewStamp(milliseconds))];
            Assert.True(stamps.Min() > last, $"year {year}");
            Assert.Equal(4, stamps.Distinct().Count());
            last = stamps.Max();
        }

        // Two at once, one after the other, or with a clock that was set back.
        cube[0].Flush.Note(last, 1);
        Assert.True(cube[0].Flush.NewStamp(0) > last);
        Assert.NotEqual(cube[0].Flush.NewStamp(0) & 0xFFFF, cube[1].Flush.NewStamp(0) & 0xFFFF);
    }

    [Fact]
    public void Flush_reaches_every_server_although_packets_are_lost()
    {
        using var cube = new CacheCube(3, 3, 3);
        Fill(cube);
        var random = new Random(1);
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && random.NextDouble() < 0.1;
        Assert.Equal(CacheStatus.Done, cube.Cube.Await(cube[5].FlushAllAsync(0)).Status);
        cube.Cube.Lose = null;
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(0, cube.Sum(CacheCount.CurrItems));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_flush_with_delay_takes_what_was_stored_before_its_moment()
    {
        using var cube = new CacheCube(3, 3, 3);
        Assert.Equal(CacheStatus.Done, cube.Cube.Await(cube[5].FlushAllAsync(10)).Status);
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Fill(cube);
        cube.Cube.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal("v7", cube.Get(A, "k7"));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(cube.Get(A, "k7"));
        Assert.Equal(0, cube.Sum(CacheCount.CurrItems));
        Fill(cube);
        cube.Cube.Advance(TimeSpan.FromSeconds(100));
        Assert.Equal("v7", cube.Get(A, "k7"));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_later_flush_replaces_one_that_is_still_to_come()
    {
        using var cube = new CacheCube(2, 1, 1);
        cube.Cube.Await(cube[0].FlushAllAsync(10));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        cube.Cube.Await(cube[1].FlushAllAsync(100));
        Fill(cube);
        cube.Cube.Advance(TimeSpan.FromSeconds(50));
        Assert.Equal("v7", cube.Get(A, "k7"));
        cube.Cube.Advance(TimeSpan.FromSeconds(51));
        Assert.Null(cube.Get(A, "k7"));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_server_that_was_away_flushes_on_return_and_knows_of_a_flush_to_come()
    {
        using var cube = new CacheCube(3, 3, 3);
        Coordinate away = new(1, 1, 1);
        string key = cube.KeyAt(away);
        cube.Set(A, key, "before");
        cube.Cube.Kill(away);
        cube.Cube.AwaitConverged();
        Assert.Equal(CacheStatus.Done, cube.Cube.Await(cube[5].FlushAllAsync(20)).Status);
        cube.Cube.Revive(away);
        cube.Cube.AwaitConverged();
        Assert.Null(cube.Get(A, key));
        cube.Set(A, key, "between");
        Assert.Equal("between", cube.Get(A, key));
        cube.Cube.Advance(TimeSpan.FromSeconds(20));
        Assert.Null(cube.Get(A, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_server_that_is_cut_off_during_a_flush_comes_back_empty()
    {
        using var cube = new CacheCube(3, 3, 3);
        Fill(cube);
        Coordinate away = new(2, 2, 2);
        cube.Cube.CutOff(away);
        cube.Cube.AwaitConverged();
        Assert.Equal(CacheStatus.Unavailable, cube.Cube.Await(cube[away].FlushAllAsync(0)).Status);
        Assert.Equal(CacheStatus.Done, cube.Cube.Await(cube[A].FlushAllAsync(0)).Status);
        cube.Cube.MendAll(away);
        cube.Cube.AwaitConverged();
        for (int i = 0; i < 200; i++)
        {
            Assert.Null(cube.Get(A, $"k{i}"));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Statistics_sum_the_cube_or_tell_one_server()
    {
        using var cube = new CacheCube(3, 3, 3);
        Fill(cube);
        for (int i = 0; i < 300; i++)
        {
            cube.Get(cube.Cube.Shape.At(i % 27), $"k{i}");
        }

        Dictionary<string, string> all = Stats(cube, true),
            one = Stats(cube, false);
        Assert.Equal("200", all["curr_items"]);
        Assert.Equal("200", all["cmd_set"]);
        Assert.Equal("300", all["cmd_get"]);
        Assert.Equal("200", all["get_hits"]);
        Assert.Equal("100", all["get_misses"]);
        Assert.Equal((27L * (64 << 20)).ToString(CultureInfo.InvariantCulture), all["limit_maxbytes"]);
        Assert.Equal("27", all["threads"]);
        Assert.Equal("64", all["pointer_size"]);
        Assert.Equal(cube[A].Store.Count.ToString(CultureInfo.InvariantCulture), one["curr_items"]);
        Assert.Equal("1", one["threads"]);
        Assert.StartsWith("18934560", one["time"], StringComparison.Ordinal);
        foreach (
            string name in new[]
            {
                "pid",
                "uptime",
                "version",
                "bytes",
                "total_items",
                "evictions",
                "cas_badval",
                "touch_hits",
            }
        )
        {
            Assert.Contains(name, all.Keys);
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Statistics_leave_out_servers_that_are_dead()
    {
        using var cube = new CacheCube(3, 3, 3);
        cube.Cube.Kill(new Coordinate(1, 1, 1));
        cube.Cube.AwaitConverged();
        Assert.Equal("26", Stats(cube, true)["threads"]);
        cube.AssertQuiet();
    }

    private static void Fill(CacheCube cube)
    {
        for (int i = 0; i < 200; i++)
        {
            Assert.Equal(CacheStatus.Done, cube.Set(cube.Cube.Shape.At(i % cube.Cube.Shape.Count), $"k{i}", $"v{i}"));
        }
    }

    [Fact]
    public void The_command_statistics_sums_what_the_servers_count()
    {
        using var cube = new CacheCube(3, 3, 3);
        Fill(cube);
        cube.Cube.Kill(cube.Cube.Shape.At(7));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        long items = cube.Sum(CacheCount.CurrItems);

        JsonElement whole = Order(cube, "statistics");
        Assert.Equal(26, whole.GetProperty("servers").GetInt32());
        Assert.Equal(items, whole.GetProperty("counters").GetProperty("curr_items").GetInt64());
        Assert.Equal(
            26 * cube.Options.MemoryLimit,
            whole.GetProperty("counters").GetProperty("limit_maxbytes").GetInt64()
        );
        JsonElement own = Order(cube, "statistics", ("of", "server"));
        Assert.Equal(1, own.GetProperty("servers").GetInt32());
        Assert.Equal(
            cube[5].Counters[CacheCount.CurrItems].Value,
            own.GetProperty("counters").GetProperty("curr_items").GetInt64()
        );
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData("statistics", "of", "all", CommandStatus.Refused, "of=all: allowed are Cube, Server.")]
    [InlineData(
        "statistics",
        "off",
        "cube",
        CommandStatus.Refused,
        "off is no argument of statistics; did you mean of?"
    )]
    [InlineData(
        "empty",
        "of",
        "cube",
        CommandStatus.NotFound,
        "service 'cache' has no command 'empty'; there is statistics."
    )]
    public void A_wrong_command_is_refused_in_words(
        string command,
        string name,
        string value,
        CommandStatus status,
        string says
    )
    {
        using var cube = new CacheCube(1, 1, 1);
        CommandResult result = cube.Cube.Await(
            cube.Cube[0].Gate.RunCommandAsync(CommandCall.Of("cache", command, (name, value)))
        );
        Assert.Equal((status, says), (result.Status, result.Text));
    }

    private static JsonElement Order(CacheCube cube, string command, params (string Name, string Value)[] arguments)
    {
        CommandResult result = cube.Cube.Await(
            cube.Cube[5].Gate.RunCommandAsync(CommandCall.Of("cache", command, arguments))
        );
        Assert.True(result.IsOk, result.Text);
        return JsonDocument.Parse(result.Text).RootElement;
    }

    private static Dictionary<string, string> Stats(CacheCube cube, bool whole) =>
        cube.Cube.Await(cube[A].GetStatisticsAsync(whole)).ToDictionary(s => s.Name, s => s.Value);
}
