using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>Compaction keeps up with a load that overwrites all that there is several times in a second, and the load
/// hardly waits for it.</summary>
public sealed class LogCompactionLoadTests
{
    private const int Seconds = 3;
    private static readonly LogOptions Options = new() { SegmentBytes = 1 << 20, BufferBytes = 256 << 10 };

    [Theory]
    [InlineData(8_000, 500, 2)]
    [InlineData(2_000, 3_000, 8)]
    public void The_disk_holds_twice_what_is_needed_and_appends_wait_twice_as_long_at_most(
        int length,
        int keys,
        int eachMillisecond
    )
    {
        (long without, _) = Load(length, keys, eachMillisecond, overwrites: false);
        (long with, double most) = Load(length, keys, eachMillisecond, overwrites: true);
        Assert.True(with <= 2 * without, $"{with} ns, and {without} ns without compaction");
        Assert.True(most <= 2, $"{most} times what is needed");
    }

    [Fact]
    public void The_owner_is_told_of_few_copies_at_once()
    {
        // Every other one goes, so what is left of each segment is copied.
        var options = new LogOptions { SegmentBytes = 4 << 20 };
        using var stage = new LogStage(options);
        stage.Open();
        for (int i = 0; i < 60_000; i++)
        {
            Assert.Equal(LogAnswer.Taken, stage.Write($"key {i}", 100));
        }

        for (int i = 0; i < 60_000; i += 2)
        {
            Assert.Equal(LogAnswer.Taken, stage.Write($"key {i}", 100));
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.True(stage.Log.Counts.CopiedBytes > 1 << 20, $"{stage.Log.Counts}");
        Assert.InRange(stage.Model.MostMoved, 100, 512);
        stage.Crash();
        stage.Check();
    }

    private static (long LateNanos, double MostOfNeeded) Load(
        int length,
        int keys,
        int eachMillisecond,
        bool overwrites
    )
    {
        using var stage = new LogStage(Options);
        stage.Open();
        for (int i = 0; i < keys; i++)
        {
            Assert.Equal(LogAnswer.Taken, stage.Write($"key {i}", length));
        }

        var random = new Random(3);
        double most = 0;
        int written = keys;
        for (int i = 0; i < Seconds * 1_000; i++)
        {
            for (int n = 0; n < eachMillisecond; n++)
            {
                int key = overwrites ? random.Next(keys) : written++;
                Assert.Equal(LogAnswer.Taken, stage.Write($"key {key}", length));
            }

            stage.Cube.Advance(TimeSpan.FromMilliseconds(1));
            most = Math.Max(most, stage.Log.Segments.Bytes / (double)stage.Model.Usage.Total);
        }

        stage.Settle();
        Assert.Equal(overwrites, stage.Log.Counts.Compacted > 20);
        long[] took = [.. stage.Model.Took.Order()];
        stage.Crash();
        stage.Check();
        return (took[took.Length * 99 / 100], most);
    }
}
