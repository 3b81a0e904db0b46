using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>What a disk does while nothing is broken.</summary>
public sealed class DiskTests
{
    [Fact]
    public void What_was_written_is_read()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Open("log.1");
        Assert.Equal(("log.1", 0L), (file.Name, file.Length));
        cube.Write(file, 0, [1, 2, 3]);
        cube.Write(file, 5, [6, 7]);
        Assert.Equal([1, 2, 3, 0, 0, 6, 7], cube.Read(file));
        cube.Write(file, 1, [9]);
        Assert.Equal(DiskStatus.Done, cube.Await(file.SetLengthAsync(6)));
        Assert.Equal([1, 9, 3, 0, 0, 6], cube.Read(file));
        Assert.Equal(DiskStatus.Done, cube.Await(file.SetLengthAsync(2)));
        Assert.Equal(DiskStatus.Done, cube.Await(file.SetLengthAsync(4)));
        Assert.Equal([1, 9, 0, 0], cube.Read(cube.Open("log.1", create: false)));
        byte[] part = new byte[2];
        Assert.Equal(new DiskResult<int>(DiskStatus.Done, 1), cube.Await(file.ReadAsync(3, part)));
        Assert.Equal(new DiskResult<int>(DiskStatus.Done, 0), cube.Await(file.ReadAsync(1L << 60, part)));
    }

    [Fact]
    public void Names_are_listed_renamed_and_deleted()
    {
        using var cube = new DiskCube();
        Assert.Equal(DiskStatus.NotFound, cube.Await(cube.Disk.OpenAsync("a", create: false)).Status);
        Assert.Equal(DiskStatus.NotFound, cube.Await(cube.Disk.RenameAsync("a", "b")));
        Assert.Equal(DiskStatus.NotFound, cube.Await(cube.Disk.DeleteAsync("a")));
        IDiskFile c = cube.Open("c"),
            a = cube.Open("a");
        cube.Write(a, 0, [1]);
        cube.Write(c, 0, [3]);
        Assert.Equal(["a", "c"], cube.List());
        Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.RenameAsync("a", "c")));
        Assert.Equal(["c"], cube.List());
        Assert.Equal([1], cube.Read(cube.Open("c")));
        Assert.Equal([3], cube.Read(c));
        Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.DeleteAsync("c")));
        Assert.Empty(cube.List());
        cube.Write(a, 1, [2]);
        Assert.Equal([1, 2], cube.Read(a));
        a.Close();
        Assert.Equal(0, a.Length);
        Assert.Equal(DiskStatus.Stopped, cube.Await(a.WriteAsync(0, new byte[1])));
        Assert.Equal(DiskStatus.Stopped, cube.Await(a.ReadAsync(0, new byte[1])).Status);
        Assert.Equal(DiskStatus.Stopped, cube.Await(a.SyncAsync()));
        Assert.Equal(DiskStatus.Stopped, cube.Await(a.SetLengthAsync(0)));
    }

    [Fact]
    public void Each_service_on_each_server_has_files_of_its_own()
    {
        using var cube = new DiskCube();
        cube.Safe("mine", [1]);
        Assert.Empty(cube.Await(cube.OtherDiskOf(0).ListAsync()).Value!);
        Assert.Empty(cube.Await(cube.DiskOf(1).ListAsync()).Value!);
        Assert.True(cube.Disk.IsAvailable);
    }

    [Theory]
    [InlineData("")]
    [InlineData(".hidden")]
    [InlineData("a/b")]
    [InlineData("a\\b")]
    [InlineData("a b")]
    [InlineData("ä")]
    [InlineData("con:")]
    public void Names_that_some_disk_would_not_take_are_refused(string name)
    {
        using var cube = new DiskCube();
        Assert.Throws<ArgumentException>(() => cube.Disk.OpenAsync(name, create: true));
        Assert.Throws<ArgumentException>(() => cube.Disk.RenameAsync("a", name));
        Assert.Throws<ArgumentException>(() => cube.Disk.DeleteAsync(name));
        Assert.Throws<ArgumentException>(() => cube.Disk.DeleteAsync(new string('a', 101)));
        IDiskFile file = cube.Open("a");
        Assert.Throws<ArgumentOutOfRangeException>(() => file.WriteAsync(-1, default));
        Assert.Throws<ArgumentOutOfRangeException>(() => file.ReadAsync(-1, default));
        Assert.Throws<ArgumentOutOfRangeException>(() => file.SetLengthAsync(-1));
    }

    [Fact]
    public void Operations_take_their_time_one_after_the_other()
    {
        using var cube = new DiskCube(
            options: new SimulatedDiskOptions
            {
                ReadNanos = 1_000,
                WriteNanos = 2_000,
                SyncNanos = 30_000,
                BytesPerSecond = 1_000_000_000,
            }
        );
        IDiskFile file = cube.Open("a");
        cube.Cube.AdvanceTo(1_000_000);
        ValueTask<DiskStatus> write = file.WriteAsync(0, new byte[5_000]),
            sync = file.SyncAsync();
        ValueTask<DiskResult<int>> read = file.ReadAsync(0, new byte[100]);
        cube.Cube.AdvanceTo(1_006_999);
        Assert.False(write.IsCompleted);
        cube.Cube.AdvanceTo(1_007_000);
        Assert.True(write.IsCompleted && !sync.IsCompleted);
        cube.Cube.AdvanceTo(1_036_999);
        Assert.False(sync.IsCompleted);
        cube.Cube.AdvanceTo(1_037_000);
        Assert.True(sync.IsCompleted);
        cube.Cube.AdvanceTo(1_038_099);
        Assert.False(read.IsCompleted);
        cube.Cube.AdvanceTo(1_038_100);
        Assert.Equal(100, cube.Await(read).Value);
        Assert.Equal(DiskStatus.Done, cube.Await(write));
        Assert.Equal(DiskStatus.Done, cube.Await(sync));
    }

    [Fact]
    public void A_full_disk_says_so()
    {
        using var cube = new DiskCube(options: new SimulatedDiskOptions { CapacityBytes = 1_000 });
        IDiskFile a = cube.Open("a"),
            b = cube.Open("b");
        cube.Write(a, 0, new byte[600]);
        Assert.Equal(DiskStatus.Full, cube.Await(b.WriteAsync(0, new byte[401])));
        Assert.Equal(DiskStatus.Full, cube.Await(b.SetLengthAsync(401)));
        Assert.Equal(DiskStatus.Full, cube.Await(b.WriteAsync(long.MaxValue, new byte[1])));
        cube.Write(b, 0, new byte[400]);
        cube.Write(a, 0, new byte[600]);
        Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.DeleteAsync("a")));
        cube.Write(b, 0, new byte[1_000]);
    }

    [Fact]
    public void Without_a_disk_every_operation_says_so()
    {
        using var cube = new DiskCube(options: new SimulatedDiskOptions { IsPresent = false });
        Assert.False(cube.Disk.IsAvailable);
        Assert.Equal(DiskStatus.NoDisk, cube.Await(cube.Disk.OpenAsync("a", create: true)).Status);
        Assert.Equal(DiskStatus.NoDisk, cube.Await(cube.Disk.ListAsync()).Status);
        Assert.Equal(DiskStatus.NoDisk, cube.Await(cube.Disk.RenameAsync("a", "b")));
        Assert.Equal(DiskStatus.NoDisk, cube.Await(cube.Disk.DeleteAsync("a")));
        Assert.Equal(DiskStatus.NoDisk, cube.Await(cube.Disk.SyncAsync()));
    }

    [Fact]
    public void What_has_not_ended_when_the_service_stops_ends_as_stopped_and_is_not_made()
    {
        using var cube = new DiskCube();
        IDiskFile file = cube.Safe("a", [1]);
        IServerDisk disk = cube.Disk;
        Task<DiskStatus> write = file.WriteAsync(0, new byte[] { 2 }).AsTask();
        cube.Cube.RemoveService(0, new ServiceId(0x0720));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.True(write.IsCompleted);
        Assert.Equal(DiskStatus.Stopped, cube.Await(new ValueTask<DiskStatus>(write)));
        Assert.Equal(DiskStatus.Stopped, cube.Await(disk.SyncAsync()));
        Assert.Equal(DiskStatus.Stopped, cube.Await(file.ReadAsync(0, new byte[1])).Status);
        cube.Cube.Shutdown(0);
        cube.Cube.Revive(0);
        Assert.Equal([1], cube.Read(cube.Open("a", create: false)));
    }

    [Fact]
    public void Options_that_cannot_be_are_refused_by_name()
    {
        foreach (
            (string name, SimulatedDiskOptions options) in new (string, SimulatedDiskOptions)[]
            {
                (nameof(SimulatedDiskOptions.ReadNanos), new SimulatedDiskOptions { ReadNanos = -1 }),
                (nameof(SimulatedDiskOptions.WriteNanos), new SimulatedDiskOptions { WriteNanos = -1 }),
                (nameof(SimulatedDiskOptions.SyncNanos), new SimulatedDiskOptions { SyncNanos = -1 }),
                (nameof(SimulatedDiskOptions.BytesPerSecond), new SimulatedDiskOptions { BytesPerSecond = 0 }),
                (
                    nameof(SimulatedDiskOptions.CapacityBytes),
                    new SimulatedDiskOptions { CapacityBytes = (1L << 40) + 1 }
                ),
            }
        )
        {
            using var cube = new DiskCube(options: options);
            Assert.Contains(
                name,
                Assert.Throws<ArgumentOutOfRangeException>(() => cube.Disk).Message,
                StringComparison.Ordinal
            );
        }
    }
}
