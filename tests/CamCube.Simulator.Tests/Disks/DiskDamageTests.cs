using System.Numerics;
using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>What goes wrong on a disk without anybody saying so.</summary>
public sealed class DiskDamageTests
{
    [Fact]
    public void A_full_disk_takes_nothing_more_and_what_is_there_can_be_changed_and_deleted()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Open("a");
        cube.Write(file, 0, [1, 2, 3]);
        using (cube.Cube.DiskFaults.Add(new FullDisk(), 0))
        {
            Assert.Equal(DiskStatus.Full, cube.Await(file.WriteAsync(2, new byte[] { 4, 5 })));
            Assert.Equal(DiskStatus.Full, cube.Await(file.SetLengthAsync(4)));
            Assert.Equal(new DiskSpace(0, 1L << 30), cube.Await(cube.Disk.GetSpaceAsync()).Value);
            cube.Write(file, 2, [6]);
            Assert.Equal(DiskStatus.Done, cube.Await(file.SetLengthAsync(3)));
            Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.RenameAsync("a", "b")));
            Assert.Equal(1L << 30, cube.Await(cube.DiskOf(1).GetSpaceAsync()).Value.FreeBytes);
        }

        cube.Write(file, 3, [7]);
        Assert.Equal([1, 2, 6, 7], cube.Read(file));
        Assert.Equal(2, cube.Cube.DiskFaults.CountsOf(0).Full);
    }

    [Fact]
    public void Synced_bytes_rot_wherever_they_are_and_unsynced_ones_do_not()
    {
        using var cube = new DiskCube(seed: 4);
        byte[] before = DiskCube.Bytes(1_000);
        IDiskFile a = cube.Safe("a", before),
            b = cube.Safe("b", before);
        IDiskFile unsynced = cube.Open("c");
        cube.Write(unsynced, 0, before);
        using (cube.Cube.DiskFaults.Add(new DiskRot(1), 0))
        {
            for (int i = 0; i < 40; i++)
            {
                cube.List();
            }
        }

        Assert.Equal(40, cube.Cube.DiskFaults.CountsOf(0).Rotted);
        Assert.Equal(before, cube.Read(unsynced));
        byte[] ofA = cube.Read(a),
            ofB = cube.Read(b);
        Assert.InRange(Turned(before, ofA), 5, 35);
        Assert.InRange(Turned(before, ofA) + Turned(before, ofB), 30, 40);
        cube.FailPower();
        Assert.Equal(ofA, cube.Read(cube.Open("a")));
        Assert.Equal(ofB, cube.Read(cube.Open("b")));
    }

    [Fact]
    public void What_is_written_anew_over_rot_is_whole()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", new byte[8]);
        cube.Write(file, 0, [1, 1, 1, 1, 1, 1, 1, 1]);
        using (cube.Cube.DiskFaults.Add(new DiskRot(1)))
        {
            cube.List();
        }

        Assert.Equal([1, 1, 1, 1, 1, 1, 1, 1], cube.Read(file));
        cube.FailPower();
        Assert.Equal(1, Turned(new byte[8], cube.Read(cube.Open("a"))));
    }

    [Fact]
    public void A_misplaced_write_is_Done_and_elsewhere()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", new byte[5_120]);
        using (cube.Cube.DiskFaults.Add(new MisplacedWrites(1)))
        {
            cube.Write(file, 1_024 + 7, [1]);
        }

        byte[] bytes = cube.Read(file);
        int at = Array.IndexOf(bytes, (byte)1);
        Assert.True(at >= 0 && at % 512 == 7 && at / 512 != 2, $"at {at}");
        Assert.Equal(1, cube.Cube.DiskFaults.Counts.Misplaced);

        // In a file of one sector there is no other place than the one behind it.
        IDiskFile small = cube.Open("b");
        using (cube.Cube.DiskFaults.Add(new MisplacedWrites(1)))
        {
            cube.Write(small, 0, [1]);
        }

        Assert.Equal([.. new byte[512], 1], cube.Read(small));
    }

    [Fact]
    public void A_stuck_operation_never_ends_others_overtake_it_and_the_service_learns_of_it_when_it_stops()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", [1, 2]);
        Task<DiskStatus> write,
            both;
        using (cube.Cube.DiskFaults.Add(new StuckDiskOperations(1), 0))
        {
            write = file.WriteAsync(0, new byte[] { 9 }).AsTask();
            both = file.WriteAsync(1, new byte[] { 9 }, sync: true).AsTask();
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal([1, 2], cube.Read(file));
        Assert.False(write.IsCompleted || both.IsCompleted);
        Assert.Equal(3, cube.Cube.DiskFaults.Counts.Stuck);
        cube.Cube.Shutdown(0);
        cube.Cube.Revive(0);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.True(write.IsCompleted && both.IsCompleted);
        Assert.Equal([1, 2], cube.Read(cube.Open("a", create: false)));
    }

    [Fact]
    public void A_lost_file_is_gone_after_a_power_failure_with_its_name()
    {
        using var cube = new DiskCube(seed: 2);
        for (int i = 0; i < 20; i++)
        {
            cube.Safe($"f{i}", [1]);
        }

        IDisposable fault = cube.Cube.DiskFaults.Add(new LostFiles(0.5), 0);
        Assert.Equal(20, cube.List().Count);
        cube.FailPower();
        fault.Dispose();
        int left = cube.List().Count;
        Assert.InRange(left, 4, 16);
        Assert.Equal(20 - left, cube.Cube.DiskFaults.Counts.LostFiles);
        cube.FailPower();
        Assert.Equal(left, cube.List().Count);
    }

    private static int Turned(byte[] before, byte[] after) =>
        before.Zip(after).Sum(static p => BitOperations.PopCount((uint)(p.First ^ p.Second)));
}
