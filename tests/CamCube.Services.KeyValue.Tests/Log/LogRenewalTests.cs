using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>A store that is damaged goes on under another id, once for each damage.</summary>
public sealed class LogRenewalTests
{
    private const string First = "seg-00000001.log";

    [Fact]
    public void Damage_gives_the_store_a_new_id_once_and_its_good_records_stay()
    {
        using var bench = new LogBench(segmentBytes: 8 << 10, bufferBytes: 4 << 10);
        LogIdentity made = bench.Open().Store;
        Assert.Equal((made, made), (bench.Log.Identity, bench.Log.Store));
        Fill(bench, 1, 12);
        Assert.Equal(made, bench.Restart().Store);

        Flip(bench, First, 1_300);
        LogOpening opening = bench.Restart();
        LogIdentity second = opening.Store;
        Assert.Equal(LogState.Damaged, opening.State);
        Assert.True(second.Incarnation > made.Incarnation);
        Assert.Equal((made, second), (bench.Log.Identity, bench.Log.Store));
        Assert.Contains("rot in segment 1 at 512", opening.Words, StringComparison.Ordinal);
        Assert.Contains($"new store {second.Incarnation}", opening.Words, StringComparison.Ordinal);
        Assert.Equal(Enumerable.Range(2, 11).Select(i => (ulong)i), bench.Holder.Seen.Select(s => s.Index));

        // What is there can be read, and what is new goes beside it.
        (_, byte[] value, LogLocation at) = bench.Holder.Seen[3];
        LogRead read = bench.Test.Await(bench.Log.ReadAsync(at, new byte[at.Length]));
        Assert.Equal(value, read.Value.ToArray());
        Fill(bench, 13, 2);
        opening = bench.Crash();
        Assert.Equal((LogState.Whole, second, 13L), (opening.State, opening.Store, opening.Records));
        Assert.Equal("", opening.Words);

        // More of it in the same place is other damage, until nothing there is read any more.
        Flip(bench, First, 1_500);
        Assert.Equal(LogState.Damaged, bench.Restart().State);
        Assert.True(bench.Log.Store.Incarnation > second.Incarnation);
        Assert.Equal(LogState.Whole, bench.Restart().State);
        Flip(bench, First, 512);
        Assert.Equal(LogState.Damaged, bench.Restart().State);
        Assert.Equal(LogState.Whole, bench.Restart().State);
        Flip(bench, First, 1_300);
        Assert.Equal(LogState.Whole, bench.Restart().State);
        Flip(bench, First, 2_100);
        Assert.Equal(LogState.Damaged, bench.Restart().State);
    }

    [Fact]
    public void Lost_segments_are_damage_once()
    {
        using var bench = new LogBench(segmentBytes: 8 << 10, bufferBytes: 4 << 10);
        bench.Open();
        Fill(bench, 1, 20);
        foreach (string lost in (string[])["seg-00000002.log", "seg-00000003.log", First])
        {
            Assert.Equal(DiskStatus.Done, bench.Test.Await(bench.Disk.DeleteAsync(lost)));
            LogIdentity before = bench.Log.Store;
            LogOpening opening = bench.Restart();
            Assert.Equal(LogState.Damaged, opening.State);
            Assert.Contains("missing", opening.Words, StringComparison.Ordinal);
            Assert.True(opening.Store.Incarnation > before.Incarnation);
            Assert.Equal((LogState.Whole, opening.Store), (bench.Restart().State, bench.Log.Store));
        }

        Assert.Equal([16UL, 17, 18, 19, 20], bench.Holder.Seen.Select(s => s.Index));
    }

    [Fact]
    public void A_power_failure_in_the_middle_of_a_renewal_leaves_the_old_id_or_a_new_one_and_never_hides_the_damage()
    {
        int old = 0,
            renewed = 0;
        for (int i = 0; i < 40; i++)
        {
            using var bench = new LogBench((ulong)i + 1);
            bench.Open();
            Fill(bench, 1, 6);
            LogIdentity made = bench.Log.Store;
            Flip(bench, First, 3_000);
            bench.Cube.Kill(0);
            bench.Cube.Revive(0);
            bench.Begin();
            bench.Cube.Advance(TimeSpan.FromMicroseconds(150 * i));
            bool isOpen = bench.Holder.Opening is not null;
            LogIdentity told = isOpen ? bench.Log.Store : made;
            LogOpening opening = bench.Crash();
            Assert.True(opening.Store.Incarnation > made.Incarnation);
            Assert.Equal(opening.State == LogState.Whole, opening.Damage.Count == 0);
            if (isOpen)
            {
                Assert.Equal((LogState.Whole, told), (opening.State, opening.Store));
            }

            old += opening.State == LogState.Damaged ? 1 : 0;
            renewed += opening.State == LogState.Whole ? 1 : 0;
        }

        Assert.True(old > 3 && renewed > 3, $"{old} before, {renewed} after");
    }

    [Fact]
    public void Rot_and_lies_and_losses_of_a_disk_are_never_taken_for_whole()
    {
        int damaged = 0;
        for (ulong seed = 1; seed <= 60; seed++)
        {
            using var bench = new LogBench(seed, segmentBytes: 8 << 10, bufferBytes: 4 << 10);
            bench.Open();
            DiskFault fault = seed % 2 == 0 ? new LyingSyncs(0.2) : new DiskRot(0.02);
            using (bench.Cube.DiskFaults.Add(fault))
            {
                Fill(bench, 1, 20);
            }

            LogIdentity before = bench.Log.Store;
            LogOpening opening = bench.Crash();
            ulong[] found = [.. bench.Holder.Seen.Select(s => s.Index)];
            Assert.All(bench.Holder.Seen, s => Assert.Equal(LogBench.ValueOf(s.Index, 1_000), s.Value));
            bool isPrefix = found.SequenceEqual(Enumerable.Range(1, found.Length).Select(i => (ulong)i));
            if (opening.State == LogState.Damaged)
            {
                damaged++;
                Assert.NotEqual(before, opening.Store);
                opening = bench.Crash();
            }
            else
            {
                // A lost end that nothing vouches for cannot be told from one that was never written.
                Assert.True(opening.State == LogState.Refused || isPrefix, $"seed {seed}");
            }

            Assert.NotEqual(LogState.Damaged, opening.State);
        }

        Assert.True(damaged > 20, $"{damaged} of 60 damaged");
    }

    private static void Fill(LogBench bench, ulong first, int count)
    {
        for (ulong i = first; i < first + (ulong)count; i++)
        {
            bench.Append(i, 1, 1_000);
            bench.Settle();
        }
    }

    private static void Flip(LogBench bench, string name, int at)
    {
        byte[] bytes = bench.Read(name);
        bytes[at] ^= 4;
        bench.Write(name, bytes);
    }
}
