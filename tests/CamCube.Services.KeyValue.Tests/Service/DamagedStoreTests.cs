using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>A server whose disk was damaged keeps no promise that it may have lost.</summary>
public sealed class DamagedStoreTests
{
    [Fact]
    public void A_start_that_found_damage_and_was_broken_off_is_no_start()
    {
        for (int micros = 500; micros < 6_000; micros += 250)
        {
            using var cube = new StoreCube(3, 1, 1);
            cube.AwaitLed();
            for (int key = 0; key < 10; key++)
            {
                Assert.Equal(KeyValueStatus.Done, cube.Put(0, $"key {key}", "red").Status);
            }

            KeyValueService Damaged() => cube.Cube[2].Service<KeyValueService>();
            StoreId before = Damaged().Host.Store;
            Flip(cube, 2_000);
            cube.Cube.Cube.Kill(2);
            cube.Cube.Cube.Revive(2);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(micros));
            cube.Cube.Cube.Kill(2);
            cube.Cube.Cube.Revive(2);
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
            Assert.NotEqual(before, Damaged().Host.Store);

            // It was taken for a store that has nothing, so it has all.
            cube.Cube.Cube.Kill(0);
            for (int key = 0; key < 10; key++)
            {
                Assert.Equal("red", cube.Get(2, $"key {key}").Value);
            }
        }
    }

    [Fact]
    public void A_damaged_store_does_not_go_on_as_if_nothing_were_at_this_start_or_a_later_one()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Assert.Equal(KeyValueStatus.Done, cube.Put(0, "color", "red").Status);
        KeyValueService Damaged() => cube.Cube[2].Service<KeyValueService>();
        StoreId before = Damaged().Host.Store;
        Flip(cube, 1_124);
        for (int start = 0; start < 3; start++)
        {
            cube.Cube.Cube.Kill(2);
            cube.Cube.Cube.Revive(2);
            cube.Cube.Advance(TimeSpan.FromSeconds(5));
            Assert.Equal("", Damaged().Host.Failure);
            Assert.NotEqual(before, Damaged().Host.Store);
            Assert.All(Damaged().Host.Members, m => Assert.True(m.State.Epoch!.PositionOf(before) < 0));
            Assert.Equal("red", cube.Get(2, "color").Value);
        }
    }

    /// <summary>Flips a bit in the first segment of server 2.</summary>
    internal static void Flip(StoreCube cube, int at)
    {
        IServerDisk disk = cube.Cube.Cube.ServerOf<KeyValueService>(2).Disk;
        IDiskFile file = cube.Cube.Await(disk.OpenAsync("seg-00000001.log", create: false)).Value!;
        byte[] one = new byte[1];
        Assert.Equal(1, cube.Cube.Await(file.ReadAsync(at, one)).Value);
        one[0] ^= 1;
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.WriteAsync(at, one, sync: true)));
    }
}
