using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>A disk without room.</summary>
public sealed class LogFullTests
{
    private const int Segment = 8 << 10;

    [Fact]
    public void Puts_are_refused_below_two_free_segments_and_what_is_needed_below_half_of_one()
    {
        using var bench = new LogBench(segmentBytes: Segment, bufferBytes: 4 << 10, capacityBytes: 64 << 10);
        bench.Open();
        ulong next = 1;
        LogAnswer answer;
        while ((answer = Append(bench, next, LogUse.Put)) == LogAnswer.Taken)
        {
            next++;
            Pass(bench);
        }

        Assert.Equal(LogAnswer.Full, answer);
        Assert.True(bench.Log.IsFull);
        Assert.InRange(Free(bench), Segment, 2 * Segment);
        int puts = (int)next;
        while ((answer = Append(bench, next, LogUse.Needed)) == LogAnswer.Taken)
        {
            next++;
            Pass(bench);
        }

        Assert.Equal(LogAnswer.Full, answer);
        Assert.True((int)next - puts > 5, $"{(int)next - puts} records that are needed");
        Assert.InRange(Free(bench), 1, Segment / 2);

        // A start needs no room.
        LogOpening opening = bench.Crash();
        Assert.Equal((LogState.Whole, (long)next - 1), (opening.State, opening.Records));
        Assert.Equal(LogAnswer.Full, Append(bench, next, LogUse.Needed));

        // Room comes back, and is seen with what is appended next.
        Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.DeleteAsync("seg-00000002.log")));
        Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.DeleteAsync("seg-00000003.log")));
        bench.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(LogAnswer.Full, Append(bench, next, LogUse.Put));
        bench.Cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(LogAnswer.Taken, Append(bench, next, LogUse.Put));
        Assert.Null(bench.Holder.Failure);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(300, 0)]
    [InlineData(1_500, 0)]
    [InlineData(5_000, 0)]
    [InlineData(9_000, 0)]
    [InlineData(0, 3_072)]
    [InlineData(300, 3_072)]
    [InlineData(1_500, 3_072)]
    [InlineData(5_000, 3_072)]
    [InlineData(9_000, 3_072)]
    public void A_disk_that_others_fill_at_any_operation_is_waited_for(int left, int ahead)
    {
        using var bench = new LogBench(
            segmentBytes: Segment,
            bufferBytes: 4 << 10,
            capacityBytes: 256 << 10,
            aheadBytes: ahead
        );
        bench.Open();
        bench.Append(1, 3, 1_000);
        bench.Settle();

        // What the log saw of the disk's room was before.
        Fill(bench, left);
        ulong next = 4;
        while (next < 20 && Append(bench, next, LogUse.Put) == LogAnswer.Taken)
        {
            next++;
            bench.Cube.Advance(TimeSpan.FromMilliseconds(3));
        }

        // It may end with its own zeros, which make room once more when they are cut off.
        bench.Cube.Advance(TimeSpan.FromSeconds(5));
        int synced = bench.Holder.At.Count;
        bench.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.True((ahead > 0 || synced < (int)next - 1) && bench.Holder.At.Count == synced, "it was full");
        Assert.Equal(LogAnswer.Full, Append(bench, next, LogUse.Put));
        Assert.Null(bench.Holder.Failure);
        LogLocation first = bench.Holder.At[1];
        Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Log.ReadAsync(first, new byte[first.Length])).Status);
        Assert.InRange(bench.Files().Count, 3, 6);

        Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.DeleteAsync("other")));
        bench.Settle();
        Assert.Equal((int)next - 1, bench.Holder.At.Count);
        LogOpening opening = bench.Crash();
        Assert.Equal((LogState.Whole, (long)next - 1), (opening.State, opening.Records));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(700)]
    public void A_log_that_is_full_from_the_first_start_on_says_so_or_waits(int left)
    {
        using var bench = new LogBench(segmentBytes: Segment, bufferBytes: 4 << 10, capacityBytes: 64 << 10);
        Fill(bench, left);
        LogOpening opening = bench.Open();
        Assert.Equal(LogState.Unreadable, opening.State);
        Assert.Contains("Full", opening.Words, StringComparison.Ordinal);
        Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.DeleteAsync("other")));
        Assert.Equal(LogState.Whole, bench.Restart().State);
    }

    private static LogAnswer Append(LogBench bench, ulong index, LogUse use) =>
        bench.Log.Append(
            LogBench.RecordOf(index),
            LogBench.KeyOf(index),
            [7, 7],
            LogBench.ValueOf(index, 1_000),
            use,
            out _
        );

    private static void Pass(LogBench bench)
    {
        bench.Settle();
        Assert.True(bench.Holder.At.Count < 100, "it is never full");
    }

    private static long Free(LogBench bench) => bench.Test.Await(bench.Disk.GetSpaceAsync()).Value.FreeBytes;

    // Others use the disk, too.
    private static void Fill(LogBench bench, int left)
    {
        IDiskFile file = bench.Test.Await(bench.Disk.OpenAsync("other", create: true)).Value!;
        Assert.Equal(DiskStatus.Done, bench.Test.Await(file.SetLengthAsync(Free(bench) - left)));
        Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.SyncAsync()));
        file.Close();
    }
}
