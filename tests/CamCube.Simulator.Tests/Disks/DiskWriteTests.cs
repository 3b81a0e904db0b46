using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>Writes of several pieces, writes with their sync, lengths in the list, and room.</summary>
public sealed class DiskWriteTests
{
    [Fact]
    public void Pieces_are_written_one_behind_the_other_in_one_operation()
    {
        using var cube = new DiskCube(
            options: new SimulatedDiskOptions { WriteNanos = 1_000, BytesPerSecond = 1_000_000_000 }
        );
        IDiskFile file = cube.Safe("a", [9, 9, 9]);
        long begin = cube.Cube.NowNanos;
        ValueTask<DiskStatus> write = file.GatherAsync(1, [new byte[] { 1, 2 }, default, new byte[] { 3 }]);
        cube.Cube.AdvanceTo(begin + 1_002);
        Assert.False(write.IsCompleted);
        cube.Cube.AdvanceTo(begin + 1_003);
        Assert.True(write.IsCompleted);
        Assert.Equal(DiskStatus.Done, cube.Await(write));
        Assert.Equal([9, 1, 2, 3], cube.Read(file));
        Assert.Equal(DiskStatus.Done, cube.Await(file.GatherAsync(0, [])));
        Assert.Throws<ArgumentNullException>(() => file.GatherAsync(0, null!));
        Assert.Throws<ArgumentOutOfRangeException>(() => file.GatherAsync(-1, [], sync: true));
        file.Close();
        Assert.Equal(DiskStatus.Stopped, cube.Await(file.GatherAsync(0, [new byte[] { 1 }], sync: true)));
    }

    [Fact]
    public void A_write_with_its_sync_takes_as_long_as_both_and_is_safe_when_it_ends()
    {
        using var cube = new DiskCube(
            options: new SimulatedDiskOptions
            {
                WriteNanos = 1_000,
                SyncNanos = 30_000,
                BytesPerSecond = 1_000_000_000,
            }
        );
        IDiskFile file = cube.Safe("a", [1]);
        cube.Write(file, 5, [5]);
        long begin = cube.Cube.NowNanos;
        ValueTask<DiskStatus> write = file.WriteAsync(0, new byte[] { 2, 2 }, sync: true);
        cube.Cube.AdvanceTo(begin + 31_001);
        Assert.False(write.IsCompleted);
        cube.Cube.AdvanceTo(begin + 31_002);
        Assert.Equal(DiskStatus.Done, cube.Await(write));
        cube.FailPower();

        // What was written before is safe with it.
        Assert.Equal([2, 2, 0, 0, 0, 5], cube.Read(cube.Open("a", create: false)));
    }

    [Theory]
    [InlineData(500, 0)]
    [InlineData(3_000, 3_000)]
    public void Power_may_fail_between_a_write_and_its_sync(long nanos, int expected)
    {
        using var cube = new DiskCube(
            options: new SimulatedDiskOptions { WriteNanos = 1_000, BytesPerSecond = 3_000_000_000 }
        );
        IDiskFile file = cube.Safe("a", new byte[3_000]);
        using IDisposable torn = cube.Cube.DiskFaults.Add(new SurvivingWrites(1));
        byte[] data = [.. Enumerable.Repeat((byte)1, 3_000)];
        Task<DiskStatus> write = file.GatherAsync(0, [data], sync: true).AsTask();
        cube.Cube.AdvanceTo(cube.Cube.NowNanos + nanos);
        Assert.False(write.IsCompleted);
        cube.FailPower();
        Assert.Equal(expected, cube.Read(cube.Open("a", create: false)).Count(b => b == 1));
    }

    [Fact]
    public void A_write_whose_sync_fails_has_failed_and_a_lying_sync_is_Done()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", [1]);
        using (cube.Cube.DiskFaults.Add(new LyingSyncs(1)))
        {
            Assert.Equal(DiskStatus.Done, cube.Await(file.WriteAsync(0, new byte[] { 2 }, sync: true)));
            Assert.Equal([2], cube.Read(file));
        }

        cube.FailPower();
        file = cube.Open("a");
        Assert.Equal([1], cube.Read(file));
        using (cube.Cube.DiskFaults.Add(new DiskWriteFailures(1)))
        {
            Assert.Equal(DiskStatus.Failed, cube.Await(file.WriteAsync(0, new byte[] { 2 }, sync: true)));
        }

        Assert.Equal(1, cube.Cube.DiskFaults.Counts.Lied);
    }

    [Fact]
    public void The_list_has_lengths_and_the_disk_says_its_room()
    {
        using var cube = new DiskCube(options: new SimulatedDiskOptions { CapacityBytes = 1_000 });
        cube.Write(cube.Open("b"), 0, new byte[300]);
        cube.Open("a");
        Assert.Equal([new DiskEntry("a", 0), new DiskEntry("b", 300)], cube.Await(cube.Disk.ListAsync()).Value!);
        var expected = new DiskResult<DiskSpace>(DiskStatus.Done, new DiskSpace(700, 1_000));
        Assert.Equal(expected, cube.Await(cube.Disk.GetSpaceAsync()));
        Assert.Equal(expected, cube.Await(cube.OtherDiskOf(0).GetSpaceAsync()));
        Assert.Equal(1_000, cube.Await(cube.DiskOf(1).GetSpaceAsync()).Value.FreeBytes);
        using (cube.Cube.DiskFaults.Add(new DiskWriteFailures(1)))
        {
            Assert.Equal(DiskStatus.Failed, cube.Await(cube.Disk.GetSpaceAsync()).Status);
        }

        using var none = new DiskCube(options: new SimulatedDiskOptions { IsPresent = false });
        Assert.Equal(DiskStatus.NoDisk, none.Await(none.Disk.GetSpaceAsync()).Status);
    }
}
