using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>Power fails before, after and inside each disk operation of a script.</summary>
public sealed class LogCrashTests
{
    private const int Moments = 110;

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(0, 1, 4_096)]
    [InlineData(0.5, 0.5, 0)]
    [InlineData(0.5, 0.5, 4_096)]
    [InlineData(1, 0, 4_096)]
    public void What_was_told_is_there_and_what_is_torn_is_cut(double survive, double tear, int ahead)
    {
        long span = Run(survive, tear, ahead, long.MaxValue, out _, out _);
        int torn = 0;
        var told = new HashSet<int>();
        for (int i = 0; i <= Moments; i++)
        {
            Run(survive, tear, ahead, span * i / Moments, out int synced, out int cut);
            torn += cut;
            told.Add(synced);
        }

        Assert.True(told.Count >= 8, $"{told.Count} different ends");
        Assert.True(torn > 0 == tear > 0, $"{torn} torn");
    }

    // Answers how long the script takes.
    private static long Run(double survive, double tear, int ahead, long crashAt, out int synced, out int torn)
    {
        using var bench = new LogBench(
            seed: (ulong)(crashAt & 0xFFFF) + 1,
            segmentBytes: 8 << 10,
            bufferBytes: 4 << 10,
            aheadBytes: ahead
        );
        bench.Cube.DiskFaults.Add(new SurvivingWrites(survive));
        bench.Cube.DiskFaults.Add(new TornWrites(tear));
        bench.Open();
        long begin = bench.Cube.NowNanos;
        ulong next = 1;
        while (next <= 10 && bench.Cube.NowNanos - begin < crashAt)
        {
            bench.Append(next++, 1, 1_700);
            while (bench.Log.IsBehind && bench.Cube.NowNanos - begin < crashAt)
            {
                bench.Cube.AdvanceTo(Math.Min(bench.Cube.NowNanos + 20_000, begin + Math.Min(crashAt, 1L << 40)));
            }
        }

        long span = bench.Cube.NowNanos - begin;
        synced = bench.Holder.At.Count;
        LogOpening opening = bench.Crash();
        torn = opening.Torn;
        Check(bench, opening, synced, (int)next - 1);

        // It goes on, and all of it is there after another failure.
        int found = bench.Holder.Seen.Count;
        bench.Append((ulong)found + 1, 2, 1_700);
        bench.Settle();
        Check(bench, bench.Crash(), found + 2, found + 2);
        return span;
    }

    private static void Check(LogBench bench, LogOpening opening, int least, int most)
    {
        Assert.True(opening.State == LogState.Whole, $"{opening.Words} {string.Join(' ', opening.Damage)}");
        Assert.InRange(bench.Holder.Seen.Count, least, most);
        Assert.Equal(
            Enumerable.Range(1, bench.Holder.Seen.Count).Select(i => (ulong)i),
            bench.Holder.Seen.Select(s => s.Index)
        );
        Assert.All(bench.Holder.Seen, s => Assert.Equal(LogBench.ValueOf(s.Index, 1_700), s.Value));
    }
}
