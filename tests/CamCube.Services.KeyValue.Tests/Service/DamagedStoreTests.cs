using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>A server whose disk was damaged keeps no promise that it may have lost.</summary>
public sealed class DamagedStoreTests
{
    [Fact]
    public void A_damaged_store_does_not_go_on_as_if_nothing_were_at_this_start_or_a_later_one()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Assert.Equal(KeyValueStatus.Done, cube.Put(0, "color", "red").Status);
        KeyValueService Damaged() => cube.Cube[2].Service<KeyValueService>();
        StoreId before = Damaged().Host.Store;
        IServerDisk disk = cube.Cube.Cube.ServerOf<KeyValueService>(2).Disk;
        IDiskFile file = cube.Cube.Await(disk.OpenAsync("seg-00000001.log", create: false)).Value!;
        byte[] sector = new byte[512];
        Assert.Equal(512, cube.Cube.Await(file.ReadAsync(1_024, sector)).Value);
        sector[100] ^= 1;
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.WriteAsync(1_024, sector, sync: true)));
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
}
