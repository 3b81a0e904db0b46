using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>What a log does while its disk works, and while it fails.</summary>
public sealed class StoreLogTests
{
    [Fact]
    public void What_was_appended_is_found_at_the_next_start_and_read_by_its_place()
    {
        using var bench = new LogBench();
        Assert.Equal((LogState.Whole, 0L), (bench.Open().State, bench.Holder.Opening!.Records));
        int[] lengths = [0, 1, 7, 511, 512, 5_000, 60_000];
        for (int i = 0; i < lengths.Length; i++)
        {
            bench.Append((ulong)i + 1, 1, lengths[i]);
            bench.Settle();
        }

        Dictionary<ulong, LogLocation> at = bench.Holder.At;
        Assert.Equal(lengths.Length, at.Count);
        LogOpening opening = bench.Restart();
        Assert.Equal((LogState.Whole, 0, 7L), (opening.State, opening.Torn, opening.Records));
        for (int i = 0; i < lengths.Length; i++)
        {
            ulong index = (ulong)i + 1;
            Assert.Equal((index, at[index]), (bench.Holder.Seen[i].Index, bench.Holder.Seen[i].At));
            Assert.Equal(LogBench.ValueOf(index, lengths[i]), bench.Holder.Seen[i].Value);
            byte[] buffer = new byte[at[index].Length];
            LogRead read = bench.Test.Await(bench.Log.ReadAsync(at[index], buffer));
            Assert.Equal((DiskStatus.Done, false), (read.Status, read.IsRotten));
            Assert.Equal(LogBench.RecordOf(index), read.Record);
            Assert.Equal(LogBench.KeyOf(index), read.Key.ToArray());
            Assert.Equal(LogBench.ValueOf(index, lengths[i]), read.Value.ToArray());
        }

        LogLocation wrong = at[5] with { Offset = at[6].Offset };
        Assert.True(bench.Test.Await(bench.Log.ReadAsync(wrong, new byte[wrong.Length])).IsRotten);
        wrong = at[5] with { Segment = 77 };
        Assert.Equal(DiskStatus.NotFound, bench.Test.Await(bench.Log.ReadAsync(wrong, new byte[1_000])).Status);
    }

    [Fact]
    public void All_of_a_step_is_one_batch_and_the_next_gathers_while_a_sync_is_under_way()
    {
        using var bench = new LogBench();
        bench.Open();
        bench.Append(1, 10, 100);
        bench.Cube.Advance(TimeSpan.FromMicroseconds(100));
        bench.Append(11, 3, 100);
        bench.Append(14, 4, 100);
        Assert.Empty(bench.Holder.Syncs);
        bench.Settle();
        Assert.Equal([(1UL, 10), (11UL, 7)], bench.Holder.Syncs);

        // Of one batch two small records lie in one sector.
        Assert.Equal(bench.Holder.At[1].Offset / 512, bench.Holder.At[2].Offset / 512);
    }

    [Fact]
    public void What_does_not_fit_is_refused_until_something_was_synced()
    {
        using var bench = new LogBench(bufferBytes: 4 << 10);
        bench.Open();
        Assert.False(bench.Log.TryAppend(default, [], [], new byte[4 << 10], out ulong ticket));
        Assert.False(bench.Log.TryAppend(default, new byte[65_536], [], [], out ticket));
        bench.Append(1, 3, 1_000);
        Assert.False(bench.Log.TryAppend(LogBench.RecordOf(4), [], [], new byte[1_000], out ticket));
        Assert.Equal(0UL, ticket);
        bench.Settle();
        bench.Append(4, 3, 1_000);
        bench.Settle();
        Assert.Equal([(1UL, 3), (4UL, 3)], bench.Holder.Syncs);
    }

    [Fact]
    public void Segments_follow_each_other_and_each_start_begins_a_new_one()
    {
        using var bench = new LogBench(segmentBytes: 8 << 10, bufferBytes: 4 << 10);
        bench.Open();
        ulong next = 1;
        for (int run = 0; run < 3; run++)
        {
            for (int i = 0; i < 10; i++)
            {
                bench.Append(next++, 1, 2_000);
                bench.Settle();
            }

            LogOpening opening = run == 1 ? bench.Crash() : bench.Restart();
            Assert.Equal((LogState.Whole, (long)next - 1), (opening.State, opening.Records));
            Assert.Equal(
                Enumerable.Range(1, (int)next - 1).Select(i => (ulong)i),
                bench.Holder.Seen.Select(s => s.Index)
            );
        }

        // Three batches of five sectors in each.
        Assert.Equal(13, bench.Files().Count);
        Assert.All(bench.Files(), file => Assert.InRange(file.Length, 0, 8 << 10));
    }

    [Fact]
    public void A_file_whose_sync_failed_takes_nothing_more_and_a_second_failure_ends_the_log()
    {
        int twice = 0,
            once = 0;
        for (ulong seed = 1; seed <= 40; seed++)
        {
            using var bench = new LogBench(seed);
            bench.Open();

            // Of every other one what was not synced survives: a batch whose sync has failed may then be there twice.
            bench.Cube.DiskFaults.Add(new SurvivingWrites(seed % 2));
            ulong next = 1;
            using (bench.Cube.DiskFaults.Add(new DiskWriteFailures(0.1)))
            {
                while (bench.Holder.Failure is null && next < 20)
                {
                    bench.Append(next++, 1, 700);
                    bench.Settle();
                }
            }

            bool ended = bench.Holder.Failure is not null;
            Assert.Equal(ended ? DiskStatus.Failed : null, bench.Holder.Failure);
            Assert.Equal(ended, !bench.Log.TryAppend(LogBench.RecordOf(99), LogBench.KeyOf(99), [7, 7], [], out _));
            ulong synced = (ulong)bench.Holder.At.Count;
            twice += ended ? 1 : 0;
            once += !ended && bench.Files().Count > 2 ? 1 : 0;
            LogOpening opening = bench.Crash();
            Assert.Equal(LogState.Whole, opening.State);
            ulong[] found = [.. bench.Holder.Seen.Select(s => s.Index).Distinct()];
            Assert.Equal(Enumerable.Range(1, (int)synced).Select(i => (ulong)i), found.Take((int)synced));
            bench.Append(200, 1, 10);
            bench.Settle();
            Assert.Single(bench.Holder.At);
        }

        Assert.True(twice > 2 && once > 2, $"{twice} twice, {once} once");
    }
}
