using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>Zeros that are written ahead of the batches.</summary>
public sealed class LogAheadTests
{
    private const int Ahead = 4 << 10;

    [Fact]
    public void A_file_grows_ahead_of_many_batches_and_a_start_cuts_off_what_is_ahead()
    {
        using var bench = new LogBench(aheadBytes: Ahead);
        bench.Open();
        var lengths = new HashSet<int>();
        int end = Sectors.Size;
        for (ulong i = 1; i <= 40; i++)
        {
            bench.Append(i, 1, 1_000);
            bench.Settle();
            end += 3 * Sectors.Size;
            byte[] file = bench.Read(NameOf(1));
            lengths.Add(file.Length);
            Assert.InRange(file.Length, end, end + Ahead);
            Assert.True(Sectors.IsZero(file.AsSpan(end)));
            Assert.False(Sectors.IsZero(file.AsSpan(end - Sectors.Size, Sectors.Size)));
        }

        // The batch that finds none takes 8 sectors with it, which is room for two more.
        Assert.Equal(14, lengths.Count);
        LogOpening opening = bench.Crash();
        Assert.Equal((LogState.Whole, 0, 40L), (opening.State, opening.Torn, opening.Records));
        Assert.Equal(end, bench.Read(NameOf(1)).Length);
    }

    [Fact]
    public void A_segment_that_is_full_has_nothing_ahead_and_none_has_more_than_a_segment()
    {
        using var bench = new LogBench(segmentBytes: 8 << 10, bufferBytes: 4 << 10, aheadBytes: Ahead);
        bench.Open();
        for (ulong i = 1; i <= 7; i++)
        {
            bench.Append(i, 1, 2_000);
            bench.Settle();
        }

        // Three batches of five sectors in each.
        int[] lengths = [.. Enumerable.Range(1, 3).Select(n => bench.Read(NameOf(n)).Length)];
        Assert.Equal([16 * Sectors.Size, 16 * Sectors.Size, (6 * Sectors.Size) + Ahead], lengths);
        bench.Append(8, 1, 2_000);
        bench.Settle();
        Assert.Equal((6 * Sectors.Size) + Ahead, bench.Read(NameOf(3)).Length);
        bench.Append(9, 1, 2_000);
        bench.Settle();
        Assert.Equal(8 << 10, bench.Read(NameOf(3)).Length);
        Assert.Equal((LogState.Whole, 9L), (bench.Restart().State, bench.Holder.Opening!.Records));
    }

    [Fact]
    public void Behind_large_batches_and_on_a_disk_with_little_room_there_is_nothing_ahead()
    {
        using var bench = new LogBench(bufferBytes: 128 << 10, aheadBytes: Ahead);
        bench.Open();
        bench.Append(1, 1, 70_000);
        bench.Settle();
        Assert.False(Sectors.IsZero(bench.Read(NameOf(1)).AsSpan(^Sectors.Size)));

        using var small = new LogBench(
            segmentBytes: 8 << 10,
            bufferBytes: 4 << 10,
            capacityBytes: 18 << 10,
            aheadBytes: Ahead
        );
        small.Open();
        small.Append(1, 1, 500);
        small.Settle();
        Assert.True(small.Log.IsFull);
        Assert.False(Sectors.IsZero(small.Read(NameOf(1)).AsSpan(^Sectors.Size)));
    }

    private static string NameOf(int segment) => SegmentFormat.NameOf((uint)segment);
}
