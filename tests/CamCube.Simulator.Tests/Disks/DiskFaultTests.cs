using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>Each kind of disk fault bites, is counted, and heals.</summary>
public sealed class DiskFaultTests
{
    [Fact]
    public void A_power_failure_leaves_what_was_synced_and_nothing_else()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", [1, 2, 3]);
        cube.Safe("b", [7]);
        cube.Write(file, 1, [9, 9, 9]);
        cube.Await(file.SetLengthAsync(9));
        IDiskFile unnamed = cube.Open("new");
        cube.Write(unnamed, 0, [5]);
        cube.Await(unnamed.SyncAsync());
        cube.Await(cube.Disk.RenameAsync("a", "c"));
        cube.Await(cube.Disk.DeleteAsync("b"));
        Assert.Equal(["c", "new"], cube.List());
        cube.FailPower();
        Assert.Equal(["a", "b"], cube.List());
        Assert.Equal([1, 2, 3], cube.Read(cube.Open("a", create: false)));
        Assert.Equal([7], cube.Read(cube.Open("b", create: false)));
        Assert.Equal(5, cube.Cube.DiskFaults.Counts.Lost);
        Assert.Equal(0, cube.Cube.DiskFaults.CountsOf(1).Lost);
    }

    [Fact]
    public void A_stop_in_order_keeps_all_and_an_empty_disk_keeps_nothing()
    {
        using var cube = new DiskCube();
        cube.Write(cube.Open("a"), 0, [1]);
        cube.Cube.Shutdown(0);
        cube.Cube.Revive(0);
        Assert.Equal([1], cube.Read(cube.Open("a", create: false)));
        cube.Safe("b", [2]);
        cube.FailPower();
        Assert.Equal(["a", "b"], cube.List());
        cube.FailPower(emptyDisk: true);
        Assert.Empty(cube.List());
    }

    [Fact]
    public void Writes_may_survive_a_power_failure_out_of_order_and_names_in_order()
    {
        using var cube = new DiskCube(seed: 3);
        cube.Cube.DiskFaults.Add(new SurvivingWrites(0.5));
        IDiskFile file = cube.Safe("a", new byte[40]);
        for (int i = 0; i < 40; i++)
        {
            cube.Write(file, i, [1]);
        }

        for (int i = 0; i < 8; i++)
        {
            cube.Await(cube.Disk.RenameAsync(i == 0 ? "a" : $"a{i - 1}", $"a{i}"));
        }

        cube.FailPower();
        string name = Assert.Single(cube.List());
        byte[] bytes = cube.Read(cube.Open(name, create: false));
        Assert.InRange(bytes.Count(b => b == 1), 10, 30);
        Assert.NotEqual(bytes.OrderDescending(), bytes);
        DiskFaultCounts counts = cube.Cube.DiskFaults.Counts;
        Assert.Equal(48, counts.Survived + counts.Lost);
        Assert.InRange(counts.Survived, bytes.Count(b => b == 1), 40);
    }

    [Fact]
    public void Writes_are_torn_at_sectors()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", new byte[5_000]);
        using IDisposable torn = cube.Cube.DiskFaults.Add(new TornWrites(1));
        byte[] data = [.. Enumerable.Repeat((byte)1, 3_000)];
        cube.Write(file, 1_000, data);
        cube.Write(file, 4_700, [2]);
        cube.FailPower();
        byte[] bytes = cube.Read(cube.Open("a", create: false));
        int n = bytes.Count(b => b == 1),
            end = 1_000 + n;
        Assert.True(n is > 0 and < 3_000 && end % 512 == 0, $"{n} bytes");
        Assert.All(bytes[1_000..end], b => Assert.Equal(1, b));

        // A write within one sector is whole or not there.
        Assert.Equal(0, bytes[4_700]);
        Assert.Equal((1L, 1L), (cube.Cube.DiskFaults.Counts.Torn, cube.Cube.DiskFaults.Counts.Lost));
    }

    [Fact]
    public void A_lying_sync_is_Done_and_was_not_made()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", [1]);
        using (cube.Cube.DiskFaults.Add(new LyingSyncs(1)))
        {
            cube.Write(file, 0, [2]);
            Assert.Equal(DiskStatus.Done, cube.Await(file.SyncAsync()));
        }

        Assert.Equal(1, cube.Cube.DiskFaults.Counts.Lied);
        cube.FailPower();
        file = cube.Open("a");
        Assert.Equal([1], cube.Read(file));
        cube.Write(file, 0, [2]);
        cube.Await(file.SyncAsync());
        cube.FailPower();
        Assert.Equal([2], cube.Read(cube.Open("a")));
    }

    [Fact]
    public void Bits_turn_over_for_good()
    {
        using var cube = new DiskCube();
        byte[] before = DiskCube.Bytes(1_000);
        IDiskFile file = cube.Safe("a", before);
        byte[] after;
        using (cube.Cube.DiskFaults.Add(new DiskBitFlips(1), 0))
        {
            after = cube.Read(file);
        }

        Assert.Equal(1, before.Zip(after).Sum(p => System.Numerics.BitOperations.PopCount((uint)(p.First ^ p.Second))));
        Assert.Equal(1, cube.Cube.DiskFaults.CountsOf(0).Flipped);
        Assert.Equal(after, cube.Read(file));
        cube.FailPower();
        Assert.Equal(after, cube.Read(cube.Open("a")));
    }

    [Fact]
    public void Slow_disks_are_slower_by_as_much_as_was_said()
    {
        using var cube = new DiskCube(
            options: new SimulatedDiskOptions { ReadNanos = 1_000, BytesPerSecond = 1_000_000_000 }
        );
        IDiskFile file = cube.Safe("a", new byte[500]);
        Assert.Equal(1_500, Time());
        using (cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromMilliseconds(3)), 0))
        {
            Assert.Equal(3_001_500, Time());
        }

        Assert.Equal(1_500, Time());
        Assert.Equal(1, cube.Cube.DiskFaults.Counts.Slowed);

        long Time()
        {
            long begin = cube.Cube.NowNanos;
            ValueTask<DiskResult<int>> read = file.ReadAsync(0, new byte[500]);
            while (!read.IsCompleted)
            {
                cube.Cube.AdvanceTo(cube.Cube.NowNanos + 100);
            }

            Assert.Equal(500, cube.Await(read).Value);
            return cube.Cube.NowNanos - begin;
        }
    }

    [Fact]
    public void Reads_fail_and_leave_the_buffer_alone()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", [1, 2, 3]);
        byte[] buffer = [8, 8, 8];
        using (cube.Cube.DiskFaults.Add(new DiskReadFailures(1), 0))
        {
            Assert.Equal(new DiskResult<int>(DiskStatus.Failed, 0), cube.Await(file.ReadAsync(0, buffer)));
            Assert.Equal([8, 8, 8], buffer);
            cube.Write(file, 0, [4]);
        }

        Assert.Equal([4, 2, 3], cube.Read(file));
        Assert.Equal(1, cube.Cube.DiskFaults.Counts.Failed);
    }

    [Fact]
    public void Writes_fail_in_part_and_syncs_and_names_as_a_whole()
    {
        using var cube = new DiskCube(seed: 5);
        IDiskFile file = cube.Safe("a", new byte[5_120]);
        IDisposable fault = cube.Cube.DiskFaults.Add(new DiskWriteFailures(1), 0);
        var parts = new HashSet<int>();
        for (byte i = 1; i <= 20; i++)
        {
            Assert.Equal(DiskStatus.Failed, cube.Await(file.WriteAsync(0, Enumerable.Repeat(i, 5_120).ToArray())));
            byte[] bytes = cube.Read(file);
            int n = bytes.Count(b => b == i);
            Assert.True(n % 512 == 0 && n < 5_120 && bytes.AsSpan(n).IndexOf(i) < 0, $"{n} bytes");
            parts.Add(n);
        }

        Assert.True(parts.Count > 3);
        Assert.Equal(DiskStatus.Failed, cube.Await(file.SyncAsync()));
        Assert.Equal(DiskStatus.Failed, cube.Await(file.SetLengthAsync(1)));
        Assert.Equal(DiskStatus.Failed, cube.Await(cube.Disk.SyncAsync()));
        Assert.Equal(DiskStatus.Failed, cube.Await(cube.Disk.RenameAsync("a", "b")));
        Assert.Equal(DiskStatus.Failed, cube.Await(cube.Disk.DeleteAsync("a")));
        Assert.Equal(DiskStatus.Failed, cube.Await(cube.Disk.OpenAsync("c", create: true)).Status);
        Assert.Equal(DiskStatus.Failed, cube.Await(cube.Disk.ListAsync()).Status);
        fault.Dispose();
        Assert.Equal(["a"], cube.List());
        Assert.Equal(5_120, file.Length);
        cube.FailPower();
        Assert.All(cube.Read(cube.Open("a")), b => Assert.Equal(0, b));
    }

    [Fact]
    public void Equal_seeds_leave_equal_disks_with_every_fault_on()
    {
        string[] runs = [Run(1), Run(1), Run(2)];
        Assert.Equal(runs[0], runs[1]);
        Assert.NotEqual(runs[0], runs[2]);
    }

    [Fact]
    public void Rules_that_mean_nothing_are_refused_and_healing_ends_all()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new DiskReadFailures(1.5));
        Assert.Throws<ArgumentOutOfRangeException>(() => new DiskSlowness(TimeSpan.FromTicks(-1)));
        using var cube = new DiskCube();
        DiskFaultRules rules = cube.Cube.DiskFaults;
        Assert.Throws<ArgumentOutOfRangeException>(() => rules.Add(new LyingSyncs(1), 0, 2));
        rules.Add(new DiskReadFailures(1));
        rules.Add(new DiskWriteFailures(1));
        Assert.Equal(2, rules.Count);
        rules.Heal();
        Assert.Equal(0, rules.Count);
        cube.Safe("a", [1]);
    }

    // Random operations and power failures; answers a digest of all statuses, contents and counts.
    private static string Run(ulong seed)
    {
        using var cube = new DiskCube(seed);
        DiskFaultRules rules = cube.Cube.DiskFaults;
        foreach (
            DiskFault fault in (DiskFault[])
                [
                    new DiskReadFailures(0.05),
                    new DiskWriteFailures(0.05),
                    new DiskBitFlips(0.1),
                    new DiskSlowness(TimeSpan.FromMicroseconds(3)),
                    new LyingSyncs(0.2),
                    new SurvivingWrites(0.3),
                    new TornWrites(0.5),
                    new DiskRot(0.1),
                    new MisplacedWrites(0.1),
                    new LostFiles(0.2),
                ]
        )
        {
            rules.Add(fault);
        }

        var random = new Random(7);
        var log = new System.Text.StringBuilder();
        for (int i = 0; i < 30; i++)
        {
            for (int k = 0; k < 10; k++)
            {
                string name = $"f{random.Next(4)}";
                DiskResult<IDiskFile> opened = cube.Await(cube.Disk.OpenAsync(name, create: true));
                log.Append(opened.Status);
                if (opened.Value is { } file)
                {
                    log.Append(
                        cube.Await(
                            file.WriteAsync(random.Next(2_000), DiskCube.Bytes(random.Next(3_000), random.Next()))
                        )
                    );
                    log.Append(random.Next(3) == 0 ? cube.Await(file.SyncAsync()) : null);
                    byte[] bytes = new byte[file.Length];
                    log.Append(cube.Await(file.ReadAsync(0, bytes)))
                        .Append(Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(bytes)));
                }

                log.Append(random.Next(3) == 0 ? cube.Await(cube.Disk.SyncAsync()) : null);
            }

            cube.FailPower();
            log.AppendJoin(',', cube.Await(cube.Disk.ListAsync()).Value ?? []);
        }

        DiskFaultCounts c = rules.Counts;
        Assert.All(
            (long[])
                [c.Failed, c.Flipped, c.Slowed, c.Lied, c.Lost, c.Torn, c.Survived, c.Rotted, c.Misplaced, c.LostFiles],
            n => Assert.True(n > 5, $"{c}")
        );
        return $"{log} {c}";
    }
}
