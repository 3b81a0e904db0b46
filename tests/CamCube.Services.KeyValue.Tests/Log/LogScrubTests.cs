using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>What rots is found within a period, told and repaired; nobody reads it before.</summary>
public sealed class LogScrubTests
{
    private static readonly LogOptions Small = new()
    {
        SegmentBytes = 32 << 10,
        BufferBytes = 8 << 10,
        SliceBytes = 4 << 10,

        // Flips are drawn over whole files, and nobody reads what is behind a segment's end.
        AheadBytes = 0,
        ScrubPeriod = TimeSpan.FromHours(4),
        UsesHints = true,
    };

    [Fact]
    public void Every_flip_is_found_in_a_period_told_and_repaired()
    {
        var random = new Random(3);
        for (int round = 0; round < 3; round++)
        {
            using LogStage stage = Filled();
            string[] files = [.. stage.Files().Where(static n => n != "scrub" && n != "store")];
            var touched = new HashSet<string>();
            for (int i = 0; i < 8; i++)
            {
                string name = files[random.Next(files.Length)];
                byte[] bytes = stage.Read(name);
                bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
                stage.Write(name, bytes);
                touched.Add(Path.GetFileNameWithoutExtension(name));
            }

            byte[] store = stage.Read("store");
            store[700] ^= 1;
            stage.Write("store", store);
            stage.Cube.Advance(Small.ScrubPeriod);
            Assert.True(stage.Log.Counts.Rotten >= touched.Count, $"{stage.Log.Counts} of {touched.Count}");
            stage.Cube.Advance(TimeSpan.FromMinutes(10));

            // All that rotted is gone: a start that reads everything finds a whole log.
            foreach (string hint in stage.Files().Where(static n => n.EndsWith(".hint", StringComparison.Ordinal)))
            {
                Assert.Equal(DiskStatus.Done, stage.Test.Await(stage.Disk.DeleteAsync(hint)));
            }

            Assert.Equal(DiskStatus.Done, stage.Test.Await(stage.Disk.SyncAsync()));
            LogOpening opening = stage.Crash();
            Assert.Equal((LogState.Whole, 0), (opening.State, opening.Hints));
            stage.Check();
            Assert.Equal(100, stage.Model.Index.Count);
        }
    }

    [Fact]
    public void A_pass_takes_a_period_reads_all_once_and_goes_on_after_a_start()
    {
        using LogStage stage = Filled();
        long all = stage.Log.Segments.All.Sum(static s => s.End - 512);
        LogScrubProgress begin = stage.Log.Scrubbing;
        stage.Cube.Advance(Small.ScrubPeriod * 0.4);
        LogScrubProgress middle = stage.Log.Scrubbing;
        Assert.InRange(middle.DoneBytes - begin.DoneBytes, all * 0.3, all * 0.55);
        Assert.Equal(begin.Passes, middle.Passes);

        stage.Crash();
        stage.Cube.Advance(Small.ScrubPeriod * 0.4);
        Assert.Equal((0L, middle.BegunNanos), (stage.Log.Scrubbing.Passes, stage.Log.Scrubbing.BegunNanos));
        Assert.InRange(stage.Log.Scrubbing.DoneBytes, all * 0.2, all * 0.6);
        stage.Cube.Advance(Small.ScrubPeriod * 0.25);
        Assert.Equal(1, stage.Log.Scrubbing.Passes);
        long done = stage.Log.Scrubbing.DoneBytes;
        stage.Cube.Advance(Small.ScrubPeriod);
        Assert.Equal(2, stage.Log.Scrubbing.Passes);
        Assert.InRange(stage.Log.Scrubbing.DoneBytes - done, all * 0.8, all * 1.2);

        // What it noted is not believed if it cannot be.
        stage.Write("scrub", new byte[512]);
        stage.Crash();
        stage.Cube.Advance(Small.ScrubPeriod * 1.1);
        Assert.Equal(1, stage.Log.Scrubbing.Passes);
        Assert.Empty(stage.Model.Told);
        stage.Check();
    }

    // The second one is not to be found by its head, and the last one has nothing right behind it.
    [Theory]
    [InlineData(3)]
    [InlineData(58)]
    public void Two_batches_that_rot_one_behind_the_other_are_both_told(int key)
    {
        using var stage = new LogStage(Small);
        stage.Open();
        for (int i = 0; i < 60; i++)
        {
            stage.Write($"key {i}", 1_000 + i);
            stage.Settle();
        }

        (LogLocation first, LogLocation second) = (
            stage.Model.Index[$"key {key}"].At,
            stage.Model.Index[$"key {key + 1}"].At
        );
        Assert.Equal(first.Segment, second.Segment);
        string name = SegmentFormat.NameOf(first.Segment);
        byte[] bytes = stage.Read(name);
        bytes[(int)first.Offset + Sectors.Size] ^= 1;
        bytes[(int)second.Offset / Sectors.Size * Sectors.Size] ^= 1;
        stage.Write(name, bytes);
        stage.Cube.Advance(Small.ScrubPeriod * 1.1);
        Assert.Equal(2, stage.Log.Counts.Rotten);
        stage.Check();
    }

    [Fact]
    public void Under_rot_and_churn_what_was_written_can_always_be_read_or_is_repaired()
    {
        int repaired = 0;
        for (ulong seed = 1; seed <= 6; seed++)
        {
            using LogStage stage = Filled(seed);
            using (stage.Cube.DiskFaults.Add(new DiskRot(0.002)))
            {
                for (int i = 0; i < 200; i++)
                {
                    stage.Write($"key {i * 7 % 50}", 900);
                    stage.Cube.Advance(TimeSpan.FromMinutes(1));
                }
            }

            stage.Cube.Advance(Small.ScrubPeriod * 1.1);
            repaired += stage.Model.Repaired;
            Assert.True(
                stage.Cube.DiskFaults.Counts.Rotted > 3 && stage.Log.Counts.Rotten > 0,
                $"{stage.Cube.DiskFaults.Counts} {stage.Log.Counts}"
            );
            stage.Check();
            Assert.Equal(100, stage.Model.Index.Count);
        }

        Assert.True(repaired > 3, $"{repaired} repaired");
    }

    private static LogStage Filled(ulong seed = 1)
    {
        var stage = new LogStage(Small, seed);
        stage.Open();
        for (int i = 0; i < 100; i++)
        {
            stage.Write($"key {i}", 1_000 + i);
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(20));
        return stage;
    }
}
