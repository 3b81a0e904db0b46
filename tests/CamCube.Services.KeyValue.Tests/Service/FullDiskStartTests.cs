using System.Text;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Wire;
using CamCube.Simulator.Disks;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Servers whose disks have no room for a store to begin: each says so, others go on, and once there is room
/// it begins by itself.</summary>
public sealed class FullDiskStartTests
{
    private const int Keys = 30;

    [Fact]
    public void Replaced_disks_that_are_full_have_their_part_once_there_is_room()
    {
        // No group has both of them.
        using var cube = new StoreCube(4, 4, 1);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        int[] full = [0, 10];
        IDisposable fault = cube.Cube.DiskFaults.Add(new FullDisk(), full);
        Restart(cube, full);
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(10));
        foreach (int rank in full)
        {
            Assert.Equal("keeps no part of the store: the disk answered Full.", cube.Store(rank).Unwell);
            Check(cube, "before", rank);
        }

        // A neighbour of one fails meanwhile: of some groups a majority is gone.
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        Assert.All(Tried(cube, "meanwhile", 10), static s => Assert.True(s is Done or Unavailable or Unknown, $"{s}"));
        cube.Cube.Revive(cube.Cube.Shape.At(1));
        fault.Dispose();
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.All(full, rank => Assert.Null(cube.Store(rank).Failure));
        Fill(cube, "after", 0);
        Check(cube, "after", 10);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void The_first_start_waits_for_servers_whose_disks_are_full()
    {
        using var cube = new StoreCube(3, 1, 1);
        int[] all = [0, 1, 2];
        IDisposable fault = cube.Cube.DiskFaults.Add(new FullDisk(), 0, 2);
        Restart(cube, all);
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(Unavailable, cube.Put(1, "key 0", "too early").Status);
        fault.Dispose();
        cube.AwaitLed();
        Fill(cube, "after", 0);
        Check(cube, "after", 2);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Tables_in_memory_are_served_meanwhile_and_keep_what_they_have()
    {
        var options = new KeyValueOptions { Tables = ["1=3,storage=memory"], Timeout = TimeSpan.FromSeconds(1) };
        using var cube = new StoreCube(3, 1, 1, options);
        IDisposable fault = cube.Cube.DiskFaults.Add(new FullDisk());
        Restart(cube, [0, 1, 2]);
        cube.Cube.AwaitConverged();
        cube.Cube.AwaitUntil(() => Put(cube, "key 0", 0) == Done, "Memory serves");
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal(Done, Put(cube, $"key {i}", i % 3)));
        Assert.Equal("of tables on disks: the disk answered Full.", cube.Store(1).Failure);
        Assert.Equal(Unavailable, cube.Put(0, "key 0", "no room").Status);
        StoreId memory = cube.Store(1).Host.Memory!.Value;
        fault.Dispose();
        cube.Cube.AwaitUntil(() => cube.Put(0, "key 0", "room").Status == Done, "The disks serve");
        cube.AwaitLed();
        Fill(cube, "after", 1);
        Check(cube, "after", 2);
        Assert.Equal((memory, null), (cube.Store(1).Host.Memory!.Value, cube.Store(1).Failure));
        for (int i = 0; i < Keys; i++)
        {
            Assert.Equal(Done, cube.Cube.Await(cube[i % 3].GetAsync(KeyValueKey.Of($"key {i}", 1))).Status);
        }

        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_damaged_store_on_a_full_disk_begins_anew_once_there_is_room(bool hasMemory)
    {
        using var cube = new StoreCube(
            3,
            1,
            1,
            new KeyValueOptions { Tables = hasMemory ? ["1=3,storage=memory"] : [] }
        );
        cube.AwaitLed();
        Fill(cube, "before", 0);
        StoreId before = cube.Store(2).Host.Store;
        DamagedStoreTests.Flip(cube, 1_124);
        IDisposable fault = cube.Cube.DiskFaults.Add(new FullDisk(), 2);
        Restart(cube, [2], emptyDisk: false);
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal("the disk answered Full.", cube.Store(2).Failure);
        Fill(cube, "meanwhile", 2);
        Check(cube, "meanwhile", 2);
        fault.Dispose();
        cube.Cube.AwaitUntil(() => cube.Store(2).Failure is null, "It begins");
        cube.AwaitSettled();
        Assert.NotEqual(before, cube.Store(2).Host.Store);
        Assert.All(
            Enumerable.Range(0, hasMemory ? Keys : 0),
            i =>
            {
                Assert.Equal(Done, Put(cube, $"key {i}", 2));
                Assert.Equal(Done, cube.Cube.Await(cube[0].GetAsync(KeyValueKey.Of($"key {i}", 1))).Status);
            }
        );

        // It alone with one of the others has all.
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Check(cube, "meanwhile", 2);
    }

    [Fact]
    public void Stores_that_others_say_were_given_up_while_the_log_is_opened_come_beside_those_in_it()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();

        // Nobody else knows them, and tells it again.
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        cube.Store(1).Host.Ban(Stores(cube, 7));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        using (cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromMilliseconds(3)), 1))
        {
            for (ulong millis = 0; millis < 20; millis++)
            {
                // Wherever the opening of the log is by then.
                Restart(cube, [1], emptyDisk: false);
                cube.Cube.Advance(TimeSpan.FromMilliseconds(millis));
                cube.Store(1).Host.Ban(Stores(cube, 100 + millis));
                cube.Cube.Advance(TimeSpan.FromSeconds(1));
                Assert.Equal((int)millis + 2, cube.Store(1).Host.Bans.Count);
            }
        }

        Restart(cube, [1], emptyDisk: false);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(21, cube.Store(1).Host.Bans.Count);
    }

    // Stores that server 2 had before.
    private static byte[] Stores(StoreCube cube, params ulong[] incarnations)
    {
        var writer = new WireWriter();
        foreach (ulong incarnation in incarnations)
        {
            EpochFormat.Write(writer, new StoreId(cube.Cube.Shape.At(2), incarnation));
        }

        return writer.Written.ToArray();
    }

    private static void Restart(StoreCube cube, int[] ranks, bool emptyDisk = true)
    {
        foreach (int rank in ranks)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        foreach (int rank in ranks)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank), emptyDisk);
        }
    }

    private static KeyValueStatus Put(StoreCube cube, string key, int rank) =>
        cube.Cube.Await(cube[rank].PutAsync(KeyValueKey.Of(key, 1), Encoding.UTF8.GetBytes(key))).Status;

    private static void Fill(StoreCube cube, string value, int rank) =>
        Assert.All(Tried(cube, value, rank), static s => Assert.Equal(Done, s));

    private static IEnumerable<KeyValueStatus> Tried(StoreCube cube, string value, int rank) =>
        [.. Enumerable.Range(0, Keys).Select(i => cube.Put(rank, $"key {i}", $"{value} {i}").Status)];

    private static void Check(StoreCube cube, string value, int rank) =>
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal($"{value} {i}", cube.Get(rank, $"key {i}").Value));
}
