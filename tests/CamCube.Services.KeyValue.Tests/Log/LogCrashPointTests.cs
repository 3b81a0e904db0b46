using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>Power fails before and after each disk operation of a script of puts, deletes, new segments, compaction and
/// starts; what was not synced is lost, survives, or is torn. Every fifth of these moments, all of them with
/// CAMCUBE_CRASH_POINTS=all.</summary>
public sealed class LogCrashPointTests
{
    private static readonly LogOptions Options = new()
    {
        SegmentBytes = 8 << 10,
        BufferBytes = 4 << 10,
        SliceBytes = 4 << 10,
        AheadBytes = 2 << 10,
        UsesHints = true,
    };

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    [InlineData(0.5, 0.5)]
    [InlineData(1, 0)]
    public void What_was_synced_is_found_and_nothing_else(double survive, double tear)
    {
        using LogStage whole = Stage(survive, tear);
        IReadOnlyList<long> ends = whole.Test.RecordDisk(0);
        Run(whole, long.MaxValue);
        Assert.True(whole.Log.Counts is { Compacted: > 3, DroppedDeletes: > 0, Hints: > 1 }, $"{whole.Log.Counts}");
        long[] points = [.. ends.SelectMany(static end => (long[])[end - 1, end]).Distinct().Order()];
        Assert.InRange(points.Length, 300, 3_000);
        bool isAll = Environment.GetEnvironmentVariable("CAMCUBE_CRASH_POINTS") == "all";
        int torn = 0;
        for (int i = isAll ? 0 : (int)((survive + tear) * 4); i < points.Length; i += isAll ? 1 : 5)
        {
            long point = points[i];
            using LogStage stage = Stage(survive, tear);
            Run(stage, point);
            torn += Check(stage.Crash(), stage, point);

            // It goes on, and is still whole after another failure.
            stage.Write("key 1", 700);
            stage.Settle();
            stage.Cube.Advance(TimeSpan.FromSeconds(3));
            Check(stage.Crash(), stage, point);
        }

        Assert.True(torn > 0 == tear > 0, $"{torn} torn");
        TestContext.Current.TestOutputHelper!.WriteLine($"{points.Length} moments, {torn} torn");
    }

    private static int Check(LogOpening opening, LogStage stage, long point)
    {
        Assert.True(opening.State == LogState.Whole, $"at {point}: {opening.State} {opening.Words}");
        stage.Check();
        return opening.Torn;
    }

    private static LogStage Stage(double survive, double tear)
    {
        var stage = new LogStage(Options);
        stage.Cube.DiskFaults.Add(new SurvivingWrites(survive));
        stage.Cube.DiskFaults.Add(new TornWrites(tear));
        return stage;
    }

    // Two runs, of which the first ends in order.
    private static void Run(LogStage stage, long until)
    {
        for (int run = 0; run < 2; run++)
        {
            if (run == 1)
            {
                stage.Cube.Shutdown(0);
                stage.Cube.Revive(0);
            }

            stage.Model.Open(stage.Options);
            Pass(stage, until, () => stage.Model.Opening is not null);
            for (int i = 0; i < 30 && stage.Cube.NowNanos < until; i++)
            {
                stage.Model.Write($"key {i * 7 % 11}", i % 5 == 4 ? -1 : 300 + (i * 97 % 1_500));
                stage.Model.Write(i % 6 == 5 ? "" : $"key {i % 4}", 200);
                Pass(stage, until, () => !stage.Log.IsBehind);
                stage.History.Passed = Math.Max(stage.History.Passed, stage.History.Last - 10);
                if (i % 10 == 9)
                {
                    stage.Cube.AdvanceTo(Math.Min(stage.Cube.NowNanos + 2_500_000_000, until));
                }
            }
        }
    }

    private static void Pass(LogStage stage, long until, Func<bool> done)
    {
        while (!done() && stage.Cube.NowNanos < until)
        {
            stage.Cube.AdvanceTo(Math.Min(stage.Cube.NowNanos + 50_000, until));
        }
    }
}
