using System.Buffers.Binary;
using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>What is wrong on the disk is found, said, and never cut.</summary>
public sealed class LogDamageTests
{
    private const string First = "seg-00000001.log";

    [Theory]
    [InlineData(0)]
    [InlineData(4_096)]
    public void Rot_in_any_sector_is_found_and_nothing_is_cut(int ahead)
    {
        using LogBench bench = Filled(ahead);
        byte[] right = bench.Read(First);
        int sectors = right.Length / 512;
        Assert.InRange(sectors, 10, 30);
        Assert.Equal(ahead > 0, Sectors.IsZero(right.AsSpan(^512)));
        for (int i = 0; i < sectors; i++)
        {
            byte[] wrong = (byte[])right.Clone();
            wrong[(i * 512) + (i * 37 % 512)] ^= (byte)(1 << (i % 8));
            bench.Write(First, wrong);
            LogOpening opening = bench.Restart();
            if (i > 16)
            {
                // Behind the end, and not where the next batch would begin: that is cut off.
                Assert.Equal((LogState.Whole, 6L), (opening.State, opening.Records));
                continue;
            }

            Assert.Equal(LogState.Damaged, opening.State);
            LogDamage damage = opening.Damage[0];
            Assert.Equal((LogDamageKind.Rot, 1U), (damage.Kind, damage.Segment));
            Assert.InRange((i * 512) - damage.Offset, 0, 5 * 512);
            Assert.Equal(wrong, bench.Read(First));

            // All but one batch was found, and of that what is right.
            Assert.InRange(bench.Holder.Seen.Count, i == 0 ? 6 : 4, 6);
        }

        bench.Write(First, right);
        Assert.Equal((LogState.Whole, 6L), (bench.Restart().State, bench.Holder.Opening!.Records));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(4_096)]
    public void Sectors_that_are_zero_are_missing_in_the_middle_and_torn_at_the_end(int ahead)
    {
        const int batch = 5 * 512,
            last = 512 + (2 * batch),
            end = last + batch;
        using LogBench bench = Filled(ahead);
        byte[] right = bench.Read(First);
        for (int at = 512; at < right.Length; at += 512)
        {
            byte[] wrong = (byte[])right.Clone();
            wrong.AsSpan(at, 512).Clear();
            bench.Write(First, wrong);
            LogOpening opening = bench.Restart();
            if (at < last)
            {
                Assert.Equal((LogState.Damaged, 0), (opening.State, opening.Torn));
                Assert.Equal(LogDamageKind.Missing, opening.Damage[0].Kind);
                Assert.Equal(wrong, bench.Read(First));
            }
            else if (at < end)
            {
                Assert.Equal((LogState.Whole, 1, 4L), (opening.State, opening.Torn, opening.Records));
                Assert.Equal(right[..last], bench.Read(First));
            }
            else
            {
                Assert.Equal((LogState.Whole, 0, 6L), (opening.State, opening.Torn, opening.Records));
                Assert.Equal(right[..end], bench.Read(First));
            }
        }
    }

    [Fact]
    public void What_looks_torn_is_missing_if_a_later_segment_calls_it_synced()
    {
        using LogBench bench = Filled();
        bench.Restart();
        bench.Append(7, 1, 10);
        bench.Settle();
        byte[] right = bench.Read(First);
        bench.Write(First, right[..^512]);
        LogOpening opening = bench.Restart();
        Assert.Equal(new LogDamage(LogDamageKind.Missing, 2, 512), Assert.Single(opening.Damage));
        Assert.Equal(right[..^512], bench.Read(First));
        Assert.Equal(7UL, bench.Holder.Seen[^1].Index);
    }

    [Fact]
    public void A_misplaced_write_is_found()
    {
        for (ulong seed = 1; seed <= 20; seed++)
        {
            using var bench = new LogBench(seed);
            bench.Open();
            for (ulong i = 1; i <= 4; i++)
            {
                bench.Append(i, 1, 1_200);
                using IDisposable? fault = i == 3 ? bench.Cube.DiskFaults.Add(new MisplacedWrites(1)) : null;
                bench.Settle();
            }

            LogOpening opening = bench.Crash();
            Assert.Equal(LogState.Damaged, opening.State);
            Assert.DoesNotContain(3UL, bench.Holder.Seen.Select(s => s.Index));
        }

        // And so is a batch that stands in another's place, though all its sums are right for its own.
        using LogBench copied = Filled();
        byte[] bytes = copied.Read(First);
        int batch = (bytes.Length - 512) / 3;
        bytes.AsSpan(512, batch).CopyTo(bytes.AsSpan(512 + batch));
        copied.Write(First, bytes);
        Assert.Equal(LogDamageKind.Rot, copied.Restart().Damage[0].Kind);
        Assert.Equal([1UL, 2, 5, 6], copied.Holder.Seen.Select(s => s.Index));
    }

    [Fact]
    public void A_lost_segment_is_missing()
    {
        using var bench = new LogBench(segmentBytes: 8 << 10, bufferBytes: 4 << 10);
        bench.Open();
        for (ulong i = 1; i <= 9; i++)
        {
            bench.Append(i, 1, 2_000);
            bench.Settle();
        }

        Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.DeleteAsync("seg-00000002.log")));
        LogOpening opening = bench.Restart();
        Assert.Equal(new LogDamage(LogDamageKind.Missing, 3, 512), Assert.Single(opening.Damage));
        Assert.Equal([1UL, 2, 3, 7, 8, 9], bench.Holder.Seen.Select(s => s.Index));
    }

    [Fact]
    public void Another_stores_segment_another_servers_store_and_another_format_are_refused_untouched()
    {
        using LogBench bench = Filled();
        byte[] store = bench.Read("store"),
            segment = bench.Read(First);
        LogIdentity own = bench.Log.Identity;

        // Another store of the same server, as after a disk was replaced.
        byte[] foreign = (byte[])segment.Clone();
        SegmentFormat.Write(
            foreign.AsSpan(0, 512),
            SegmentFormat.SegmentMagic,
            own with
            {
                Incarnation = own.Incarnation + 1,
            },
            1
        );
        Refused(First, foreign, segment, "another store");
        Refused(First, Newer(segment, 512), segment, "format 2");
        Refused("store", Newer(store, 512, 1_024), store, "format 2");
        byte[] other = new byte[1_024];
        for (uint i = 0; i < 2; i++)
        {
            LogIdentity elsewhere = own with { Server = new Coordinate(1, 0, 0) };
            SegmentFormat.Write(other.AsSpan((int)i * 512, 512), SegmentFormat.StoreMagic, elsewhere, i);
        }

        Refused("store", other, store, "server");
        Assert.Equal((LogState.Whole, 6L), (bench.Restart().State, bench.Holder.Opening!.Records));

        // One of its two copies is enough, and makes the other.
        byte[] half = (byte[])store.Clone();
        half[20] ^= 1;
        bench.Write("store", half);
        Assert.Equal(LogState.Whole, bench.Restart().State);
        Assert.Equal(store, bench.Read("store"));

        // Segments that do not all say one thing do not say whose it was.
        Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.DeleteAsync("store")));
        byte[] second = new byte[512];
        SegmentFormat.Write(second, SegmentFormat.SegmentMagic, own with { Incarnation = own.Incarnation + 1 }, 2);
        bench.Write("seg-00000002.log", second);
        Assert.Equal(LogState.Refused, bench.Restart().State);

        void Refused(string name, byte[] wrong, byte[] right, string words)
        {
            bench.Write(name, wrong);
            LogOpening opening = bench.Restart();
            Assert.Equal(LogState.Refused, opening.State);
            Assert.Contains(words, opening.Words, StringComparison.Ordinal);
            Assert.Null(opening.Log);
            Assert.Empty(bench.Holder.Seen);
            Assert.Equal(wrong, bench.Read(name));
            bench.Write(name, right);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_the_file_that_says_whose_it_is_the_segments_do_and_it_is_another_store(bool isZero)
    {
        using LogBench bench = Filled();
        LogIdentity own = bench.Log.Identity;
        if (isZero)
        {
            bench.Write("store", new byte[1_024]);
        }
        else
        {
            Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.DeleteAsync("store")));
        }

        LogOpening opening = bench.Restart();
        Assert.Equal((LogState.Damaged, 6L), (opening.State, opening.Records));
        Assert.Contains("'store' is lost", opening.Words, StringComparison.Ordinal);
        Assert.True(opening.Store.Incarnation > own.Incarnation);
        Assert.Equal(own, bench.Log.Identity);
        LogIdentity now = opening.Store;
        opening = bench.Restart();
        Assert.Equal((LogState.Whole, now, 6L), (opening.State, opening.Store, opening.Records));
    }

    private static byte[] Newer(byte[] bytes, params int[] ends)
    {
        byte[] newer = (byte[])bytes.Clone();
        foreach (int end in ends)
        {
            Span<byte> sector = newer.AsSpan(end - 512, 512);
            BinaryPrimitives.WriteUInt32LittleEndian(sector[8..], 2);
            BinaryPrimitives.WriteUInt32LittleEndian(sector[508..], Sectors.Sum(uint.MaxValue, sector[..508]));
        }

        return newer;
    }

    // One segment with three batches of two records.
    private static LogBench Filled(int ahead = 0)
    {
        var bench = new LogBench(aheadBytes: ahead);
        bench.Open();
        for (ulong i = 1; i <= 5; i += 2)
        {
            bench.Append(i, 2, 1_000);
            bench.Settle();
        }

        return bench;
    }
}
