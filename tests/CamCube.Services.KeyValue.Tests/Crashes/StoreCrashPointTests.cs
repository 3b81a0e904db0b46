using System.Collections.Concurrent;
using System.Globalization;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Crashes;

/// <summary>Power fails before and after each disk operation of a server in a run of the whole store, at that server or
/// at all: what was not synced is lost, survives, or is torn. Some of these moments; every n-th with
/// CAMCUBE_CRASH_POINTS=n, all of them with CAMCUBE_CRASH_POINTS=all.</summary>
public sealed class StoreCrashPointTests
{
    private const int InCi = 200;
    private static readonly ConcurrentDictionary<int, long[]> All = new();

    [Theory]
    [InlineData(0, false, 0, 0)]
    [InlineData(1, false, 0, 1)]
    [InlineData(2, false, 0.5, 0.5)]
    [InlineData(0, true, 0, 1)]
    [InlineData(1, true, 1, 0)]
    [InlineData(2, true, 0.5, 0.5)]
    public void Nothing_that_was_told_is_lost(int victim, bool isAll, double survive, double tear)
    {
        long[] points = All.GetOrAdd(victim, PointsOf);
        string? wish = Environment.GetEnvironmentVariable("CAMCUBE_CRASH_POINTS");
        int every =
            wish == "all" ? 1
            : int.TryParse(wish, NumberStyles.None, CultureInfo.InvariantCulture, out int n) ? n
            : InCi;
        int looked = 0;
        List<string> wrong = [];
        for (int i = (int)((survive + (2 * tear) + victim) * 7) % every; i < points.Length; i += every)
        {
            try
            {
                Check(points[i], victim, isAll, survive, tear, again: i % 4 == 0);
            }
            catch (Exception e) when (wish is not null)
            {
                wrong.Add($"At {points[i]} ({i} of {points.Length}): {e.Message.ReplaceLineEndings(" | ")}");
            }

            looked++;
        }

        Assert.True(wrong.Count == 0, $"{wrong.Count} of {looked}\n{string.Join('\n', wrong)}");
        TestContext.Current.TestOutputHelper!.WriteLine($"{looked} of {points.Length} moments");
    }

    private static void Check(long point, int victim, bool isAll, double survive, double tear, bool again)
    {
        using var script = new CrashScript(point);
        using IDisposable surviving = script.Stores.Cube.DiskFaults.Add(new SurvivingWrites(survive));
        using IDisposable torn = script.Stores.Cube.DiskFaults.Add(new TornWrites(tear));
        script.Run();
        Assert.Equal(point, script.NowNanos);
        if (isAll)
        {
            script.Fail(0, 1, 2, 3);
        }
        else
        {
            script.Fail(victim);
        }

        script.Check();
        if (again)
        {
            script.Fail(0, 1, 2, 3);
            script.Check();
        }
    }

    private static long[] PointsOf(int victim)
    {
        using var whole = new CrashScript(long.MaxValue);
        IReadOnlyList<long> ends = whole.Stores.Cube.RecordDisk(victim);
        whole.Run();
        Assert.True(whole.Acknowledged > 300, $"{whole.Acknowledged}");
        var host = ((KeyValueService)whole.Stores[victim]).Host;
        Assert.True(host.Log!.Counts.Compacted > 0, $"{host.Log.Counts}");
        Assert.Contains(host.Members, m => m.State.Epoch!.Number > 2);
        long[] points = [.. ends.SelectMany(static end => (long[])[end - 1, end]).Distinct().Order()];
        Assert.InRange(points.Length, 500, 10_000);
        return points;
    }
}
