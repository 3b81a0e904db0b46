using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>What is needed no more gives its room back, and what is needed stays.</summary>
public sealed class LogCompactionTests
{
    private static readonly LogOptions Small = new() { SegmentBytes = 32 << 10, BufferBytes = 8 << 10 };

    [Fact]
    public void Under_churn_the_disk_holds_twice_what_is_needed_and_a_head_and_a_start_finds_it_whole()
    {
        using var stage = new LogStage(Small);
        stage.Open();
        var random = new Random(5);
        for (int i = 0; i < 200; i++)
        {
            Put(stage, i, 1_000);
        }

        long most = 0,
            compacted = 0;
        for (int round = 0; round < 120; round++)
        {
            for (int i = 0; i < 20; i++)
            {
                Put(stage, random.Next(200), random.Next(1_900));
            }

            stage.Cube.Advance(TimeSpan.FromSeconds(0.5));
            most = Math.Max(most, stage.DiskBytes() - (2 * stage.Model.Usage.Total));
            if (round % 40 == 39)
            {
                compacted += stage.Log.Counts.Compacted;
                LogOpening opening = stage.Crash();
                Assert.True(opening.State == LogState.Whole, opening.Words);
                stage.Check();
                Assert.Equal(200, stage.Model.Index.Count);
            }
        }

        Assert.InRange(most, long.MinValue, 2 * Small.SegmentBytes);
        Assert.True(compacted > 10, $"{compacted} compacted");
    }

    [Fact]
    public void Segments_of_which_nothing_is_needed_go_and_their_gap_is_no_damage()
    {
        using var stage = new LogStage(Small);
        stage.Open();
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < 100; i++)
            {
                Put(stage, 1, 1_500);
            }

            stage.Settle();
            stage.Cube.Advance(TimeSpan.FromSeconds(5));

            // The last record of a segment is needed until the next one has begun.
            Assert.InRange(stage.Log.Counts.CopiedBytes, 0, 3 * 1_600);
            Assert.True(stage.DiskBytes() <= 2 * Small.SegmentBytes, $"{stage.DiskBytes()} bytes");
            LogOpening opening = stage.Crash();
            Assert.True(opening.State == LogState.Whole, opening.Words);
            stage.Check();
        }
    }

    [Fact]
    public void A_delete_goes_once_all_have_passed_it_and_nothing_older_of_its_key_is_left()
    {
        using var stage = new LogStage(Small);
        stage.Open();
        for (int i = 0; i < 300; i++)
        {
            Put(stage, i, 500);
        }

        for (int i = 0; i < 300; i += 2)
        {
            stage.Write(KeyOf(i), -1);
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(300, stage.Model.Index.Count);
        Assert.True(stage.Log.Counts is { Compacted: > 0, DroppedDeletes: 0 }, $"{stage.Log.Counts}");

        // Those that were passed go, as far as their segments are worth it.
        stage.History.Passed = stage.History.Last;
        for (int round = 0; round < 30; round++)
        {
            for (int i = 1; i < 300; i += 2)
            {
                Put(stage, i, 100 + round);
            }

            stage.Settle();
            stage.Cube.Advance(TimeSpan.FromSeconds(2));
        }

        Assert.True(stage.Log.Counts.DroppedDeletes >= 140, $"{stage.Log.Counts}");
        Assert.InRange(stage.Model.Index.Count, 150, 160);
        stage.Crash();
        stage.Check();
        Assert.InRange(stage.Model.Index.Count, 150, 160);
    }

    [Fact]
    public void A_delete_stays_while_an_older_segment_may_hold_its_key()
    {
        using var stage = new LogStage(Small);
        stage.Open();

        // In the first segment keys that stay, in the next one deletes of a few of them and garbage.
        for (int i = 0; i < 27; i++)
        {
            Put(stage, i, 1_000);
        }

        stage.Settle();
        uint first = stage.Model.Index[KeyOf(3)].At.Segment;
        stage.Write(KeyOf(3), -1);
        stage.Write(KeyOf(4), -1);
        for (int i = 0; i < 5; i++)
        {
            Put(stage, 100, 1_000);
        }

        stage.Settle();
        stage.History.Passed = stage.History.Last;
        uint second = stage.Model.Index[KeyOf(3)].At.Segment;
        Assert.Equal((1U, 2U), (first, second));
        for (int i = 0; i < 90; i++)
        {
            Put(stage, 100, 1_000);
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(20));
        Assert.True(stage.Log.Counts is { Compacted: > 0, DroppedDeletes: 0 }, $"{stage.Log.Counts}");
        Assert.True(stage.Model.Index[KeyOf(3)].At.Segment > second, "it was copied");
        stage.Crash();
        stage.Check();
        Assert.Equal((-1, -1), (stage.Model.Index[KeyOf(3)].Length, stage.Model.Index[KeyOf(4)].Length));
    }

    [Fact]
    public void A_deleted_segment_that_comes_back_is_not_read()
    {
        using var stage = new LogStage(Small);
        stage.Open();
        for (int i = 0; i < 60; i++)
        {
            Put(stage, i % 30, 1_000);
        }

        stage.Settle();
        byte[] bytes = stage.Read("seg-00000001.log");
        stage.History.Passed = ulong.MaxValue;
        for (int i = 0; i < 30; i++)
        {
            stage.Write(KeyOf(i), -1);
        }

        for (int i = 0; i < 90; i++)
        {
            Put(stage, 100, 1_000);
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal([KeyOf(100)], stage.Model.Index.Keys);

        // The disk said that its name was gone.
        stage.Write("seg-00000001.log", bytes);
        LogOpening opening = stage.Crash();
        Assert.True(opening.State == LogState.Whole, opening.Words);
        stage.Check();
        Assert.Equal([KeyOf(100)], stage.Model.Index.Keys);
        Assert.DoesNotContain("seg-00000001.log", stage.Files());
    }

    [Fact]
    public void The_newest_state_is_written_anew_and_older_ones_never_come_back()
    {
        using var stage = new LogStage(Small);
        stage.Open();
        for (int round = 0; round < 20; round++)
        {
            stage.Write("", 20);
            for (int i = 0; i < 40; i++)
            {
                Put(stage, i % 3, 1_000);
            }

            stage.Settle();
            stage.Cube.Advance(TimeSpan.FromSeconds(2));
            ulong state = stage.Model.Index[""].Index;
            stage.Crash();
            stage.Check();
            Assert.Equal(state, stage.Model.Index[""].Index);
        }
    }

    [Fact]
    public void What_is_rotten_is_told_once_and_its_segment_stays_until_it_is_repaired()
    {
        using var stage = new LogStage(Small);
        stage.Open();
        stage.Model.Repairs = false;
        for (int i = 0; i < 40; i++)
        {
            Put(stage, i, 1_000);
        }

        stage.Settle();
        LogLocation at = stage.Model.Index[KeyOf(3)].At;
        Flip(stage, at);
        for (int i = 10; i < 40; i++)
        {
            Put(stage, i, 1_000);
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(60));
        (uint segment, long from, long to) = Assert.Single(stage.Model.Told);
        Assert.Equal(at.Segment, segment);
        Assert.True(from <= at.Offset + 100 && to > at.Offset + 100, $"{from} {to} {at}");
        Assert.True(stage.Log.Counts is { Held: > 2, Rotten: 1 }, $"{stage.Log.Counts}");
        Assert.Equal(at.Length, stage.Model.Usage.Of(at.Segment));
        Assert.True(stage.Test.Await(stage.Log.ReadAsync(at, new byte[at.Length])).IsRotten);

        Put(stage, 3, 1_000);
        stage.Cube.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(DiskStatus.NotFound, stage.Test.Await(stage.Log.ReadAsync(at, new byte[at.Length])).Status);
        Assert.True(stage.Crash().State == LogState.Whole, stage.Model.Opening!.Words);
        stage.Check();
    }

    [Fact]
    public void A_slice_asks_about_few_records_however_large_the_batches_are()
    {
        var options = new LogOptions
        {
            SegmentBytes = 2 << 20,
            BufferBytes = 1 << 20,
            SliceBytes = 16 << 10,
        };
        using var stage = new LogStage(options);
        stage.Open();
        for (int i = 0; i < 20_000; i++)
        {
            Put(stage, i % 100, 100);
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(20));
        Assert.True(stage.Log.Counts.Compacted > 0, $"{stage.Log.Counts}");

        // Records of 168 bytes: a slice has a hundred.
        Assert.InRange(stage.Model.MostAsked, 20, 120);
        stage.Crash();
        stage.Check();
    }

    [Fact]
    public void A_full_disk_gets_room_by_deletes_and_compaction()
    {
        using var stage = new LogStage(Small, capacityBytes: 512 << 10);
        stage.Open();
        int keys = 0;
        while (stage.Write(KeyOf(keys), 1_000, LogUse.Put) == LogAnswer.Taken)
        {
            keys++;
            stage.Settle();
            Assert.True(keys < 600, "it is never full");
        }

        Assert.True(stage.Log.IsFull && keys > 250, $"{keys} keys");
        stage.History.Passed = ulong.MaxValue;
        for (int i = 0; i < keys; i += 2)
        {
            Assert.Equal(LogAnswer.Taken, stage.Write(KeyOf(i), -1));
            if (i % 20 == 0)
            {
                stage.Settle();
            }
        }

        stage.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.False(stage.Log.IsFull, $"{stage.Log.Counts}");
        Assert.Equal(LogAnswer.Taken, stage.Write(KeyOf(0), 1_000, LogUse.Put));
        stage.Settle();
        stage.Crash();
        stage.Check();
    }

    [Fact]
    public void With_failing_and_full_disks_and_crashes_in_the_middle_nothing_synced_is_lost()
    {
        long compacted = 0;
        for (ulong seed = 1; seed <= 12; seed++)
        {
            using var stage = new LogStage(Small, seed, capacityBytes: 400 << 10);
            var random = new Random((int)seed);
            stage.Cube.DiskFaults.Add(new SurvivingWrites(0.5));
            stage.Cube.DiskFaults.Add(new TornWrites(0.5));
            stage.Open();
            for (int round = 0; round < 12; round++)
            {
                using IDisposable? fault =
                    round % 3 == 2 ? stage.Cube.DiskFaults.Add(new DiskWriteFailures(0.02)) : null;
                for (int i = 0; i < 60 && !stage.Log.HasEnded; i++)
                {
                    int key = random.Next(60);
                    stage.Write(KeyOf(key), random.Next(4) == 0 ? -1 : random.Next(3_000), LogUse.Put);
                }

                stage.History.Passed = Math.Max(stage.History.Passed, stage.History.Last / 2);
                stage.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(4_000)));
                compacted += stage.Log.Counts.Compacted;
                fault?.Dispose();
                LogOpening opening = stage.Crash();
                Assert.True(opening.State == LogState.Whole, $"seed {seed}: {opening.Words}");
                stage.Check();
            }
        }

        Assert.True(compacted > 100, $"{compacted} compacted");
    }

    private static string KeyOf(int key) => $"key {key}";

    private static void Put(LogStage stage, int key, int length) =>
        Assert.Equal(LogAnswer.Taken, stage.Write(KeyOf(key), length));

    private static void Flip(LogStage stage, LogLocation at)
    {
        string name = SegmentFormat.NameOf(at.Segment);
        byte[] bytes = stage.Read(name);
        bytes[(int)at.Offset + 100] ^= 1;
        stage.Write(name, bytes);
    }
}
