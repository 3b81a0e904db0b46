using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>Hints are read instead of segments while they are right, and never else.</summary>
public sealed class LogHintTests
{
    private const string First = "seg-00000001.hint";
    private static readonly LogOptions Small = new()
    {
        SegmentBytes = 32 << 10,
        BufferBytes = 8 << 10,
        UsesHints = true,
    };

    [Fact]
    public void A_start_reads_hints_then_the_tail()
    {
        using LogStage stage = Filled();
        string[] hints = [.. stage.Files().Where(static n => n.EndsWith(".hint", StringComparison.Ordinal))];
        Assert.True(hints.Length >= 4, string.Join(' ', hints));
        LogOpening opening = stage.Crash();
        Assert.Equal((LogState.Whole, hints.Length, 0), (opening.State, opening.Hints, opening.IgnoredHints));
        Assert.True(opening.Records is 100 + 3 + 1, $"{opening.Records}");
        stage.Check();
        Assert.Equal(101, stage.Model.Index.Count);

        // The last segment of that run gets one now, and segments grow on behind it.
        stage.Write("more", 1_000);
        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(10));
        opening = stage.Crash();
        Assert.Equal((LogState.Whole, hints.Length + 1), (opening.State, opening.Hints));
        stage.Check();
    }

    [Fact]
    public void A_hint_with_any_sector_damaged_is_ignored_counted_and_made_anew()
    {
        using LogStage stage = Filled();
        byte[] right = stage.Read(First);
        Assert.InRange(right.Length, 1_500, 6_000);
        for (int at = 0; at < right.Length; at += 97)
        {
            byte[] wrong = (byte[])right.Clone();
            wrong[at] ^= (byte)(1 << (at % 8));
            Ignored(wrong);
        }

        Ignored([]);
        Ignored(new byte[right.Length]);
        Ignored(right[..^1]);
        Ignored(right[..512]);
        Ignored([.. right, 0]);
        Ignored([.. new byte[512], .. right.AsSpan(512)]);

        // One of another segment, and of another format.
        Ignored(stage.Read("seg-00000002.hint"));
        byte[] newer = (byte[])right.Clone();
        newer[8]++;
        SegmentFormat.Seal(newer.AsSpan(0, 512));
        Ignored(newer);

        void Ignored(byte[] wrong)
        {
            stage.Write(First, wrong);
            LogOpening opening = stage.Crash();
            Assert.Equal((LogState.Whole, 1), (opening.State, opening.IgnoredHints));
            stage.Check();
            stage.Cube.Advance(TimeSpan.FromSeconds(3));
            Assert.Equal(right, stage.Read(First));
        }
    }

    [Fact]
    public void Hints_of_segments_that_are_not_there_are_counted_and_go()
    {
        using LogStage stage = Filled();
        stage.Write("seg-000000aa.hint", stage.Read(First));
        LogOpening opening = stage.Crash();
        Assert.Equal((LogState.Whole, 1), (opening.State, opening.IgnoredHints));
        Assert.DoesNotContain("seg-000000aa.hint", stage.Files());
        stage.Check();

        // A hint does not stand for a segment that is lost, or longer or shorter than it was.
        byte[] segment = stage.Read("seg-00000001.log");
        stage.Write("seg-00000001.log", segment[..^512]);
        opening = stage.Crash();
        Assert.Equal(LogState.Damaged, opening.State);
        Assert.Equal(DiskStatus.Done, stage.Test.Await(stage.Disk.DeleteAsync("seg-00000002.log")));
        Assert.Equal(DiskStatus.Done, stage.Test.Await(stage.Disk.SyncAsync()));
        opening = stage.Crash();
        Assert.Equal(LogState.Damaged, opening.State);
        Assert.Equal(LogState.Whole, stage.Crash().State);
    }

    [Fact]
    public void Compacted_segments_leave_no_hints()
    {
        using LogStage stage = Filled();
        for (int i = 0; i < 300; i++)
        {
            stage.Write($"key {i % 100}", 900);
        }

        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.True(stage.Log.Counts.Compacted > 5, $"{stage.Log.Counts}");
        HashSet<string> files = [.. stage.Files()];
        Assert.All(
            files.Where(static n => n.EndsWith(".hint", StringComparison.Ordinal)),
            n => Assert.Contains(Path.ChangeExtension(n, ".log"), files)
        );
        Assert.DoesNotContain(First, files);
        Assert.Equal((LogState.Whole, 0), (stage.Crash().State, stage.Model.Opening!.IgnoredHints));
        stage.Check();
    }

    // A hundred keys, some of them deleted, a state, and hints of all full segments.
    private static LogStage Filled()
    {
        var stage = new LogStage(Small);
        stage.Open();
        for (int i = 0; i < 100; i++)
        {
            stage.Write($"key {i}", 1_000 + i);
        }

        for (int i = 0; i < 3; i++)
        {
            stage.Write($"key {i}", -1);
        }

        stage.Write("", 20);
        stage.Settle();
        stage.Cube.Advance(TimeSpan.FromSeconds(20));
        return stage;
    }
}
