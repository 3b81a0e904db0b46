using System.Globalization;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>What rots while a server runs comes back from another, and clients see nothing of it.</summary>
public sealed class RotTests
{
    private const int Keys = 120;
    private const int Rotten = 1;

    // Ends of logs are not kept in memory, so that reads go to the disk.
    private static readonly KeyValueOptions Small = new()
    {
        TailBytes = 4 << 10,
        MaxValueLength = 8 << 10,
        SegmentBytes = 64 << 10,
    };

    [Fact]
    public void A_read_that_meets_rot_is_answered_and_what_rotted_is_written_anew()
    {
        using StoreCube cube = Filled();
        int flipped = Flip(cube);
        Assert.True(flipped > 20, $"{flipped}");
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(ValueOf(key), cube.Get(key % 3, $"key {key}").Value);
        }

        Assert.Equal(Done, cube.Put(2, "key 7", "new").Status);
        Assert.Equal("new", cube.Get(Rotten, "key 7").Value);

        // Of groups that others lead nothing was read here yet.
        long repaired = cube.Cube[Rotten].Service<KeyValueService>().Repaired;
        Assert.InRange(repaired, 5, flipped - 5);
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        for (int key = 8; key < Keys; key++)
        {
            Assert.Equal(ValueOf(key), cube.Get(Rotten, $"key {key}").Value);
        }

        Assert.True(cube.Cube[Rotten].Service<KeyValueService>().Repaired > repaired);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void What_the_scrubber_finds_is_mended_and_the_next_start_finds_nothing()
    {
        using StoreCube cube = Filled();
        int flipped = Flip(cube);
        MemberHost host = HostOf(cube);
        StoreId store = host.Store;
        LogSegment[] segments = [.. host.Log!.Segments.All.Where(s => s != host.Log.Segments.Head)];
        Assert.NotEmpty(segments);
        Array.ForEach(segments, s => host.Log.TellRot(s, 0, s.End));

        // Somebody writes meanwhile.
        for (int i = 0; i < 10; i++)
        {
            Assert.Equal(Done, cube.Put(i % 3, "other", $"{i}").Status);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(flipped, cube.Cube[Rotten].Service<KeyValueService>().Repaired);
        Assert.All(segments, s => Assert.True(s.IsGone));
        cube.Cube.Kill(cube.Cube.Shape.At(Rotten));
        cube.Cube.Revive(cube.Cube.Shape.At(Rotten));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.Equal(store, HostOf(cube).Store);
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(ValueOf(key), cube.Get(Rotten, $"key {key}").Value);
        }
    }

    private static string ValueOf(int key) => $"{key} {new string('x', 6_000)}";

    private static MemberHost HostOf(StoreCube cube) => cube.Cube[Rotten].Service<KeyValueService>().Host;

    private static StoreCube Filled()
    {
        var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(Done, cube.Put(key % 3, $"key {key}", ValueOf(key)).Status);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        return cube;
    }

    // A bit of each record that a key needs on the disk, but for those in the segment that is written.
    private static int Flip(StoreCube cube)
    {
        MemberHost host = HostOf(cube);
        IServerDisk disk = cube.Cube.Cube.ServerOf<KeyValueService>(Rotten).Disk;
        int flipped = 0;
        foreach (Member member in host.Members)
        {
            foreach ((_, IndexEntry entry) in host.Index.Of(member.Id.Number))
            {
                LogLocation at = entry.Location;
                bool isInMemory = member.Tail.Has(entry.Version & ((1UL << 40) - 1));
                if (isInMemory || at.Segment == host.Log!.Segments.Head?.Number)
                {
                    continue;
                }

                string name = string.Create(CultureInfo.InvariantCulture, $"seg-{at.Segment:x8}.log");
                IDiskFile file = cube.Cube.Await(disk.OpenAsync(name, create: false)).Value!;
                byte[] one = new byte[1];
                long place = at.Offset + (at.Length / 2);
                Assert.Equal(1, cube.Cube.Await(file.ReadAsync(place, one)).Value);
                one[0] ^= 4;
                Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.WriteAsync(place, one, sync: true)));
                file.Close();
                flipped++;
            }
        }

        return flipped;
    }
}
