using System.Globalization;
using System.Text;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
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

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void Rot_in_a_long_value_is_read_from_another_and_mended(bool isScrubbed, bool isOwn)
    {
        var options = new KeyValueOptions { ScrubPeriod = TimeSpan.FromMinutes(1) };
        using var cube = new StoreCube(4, 1, 1, isScrubbed ? options : new KeyValueOptions());
        cube.AwaitLed();
        string[] keys = [.. Enumerable.Range(0, 1_000).Select(i => $"long {i}").Where(key => IsLed(cube, key)).Take(6)];
        for (int number = 0; number < 6; number++)
        {
            byte[] value = LongValues.Of(number, 900_000);
            Assert.Equal(Done, LongValues.Write(cube, number % 3, keys[number], value).Status);
        }

        // A bit of each piece that is here.
        MemberHost host = HostOf(cube);
        LogPieces pieces = host.Pieces.Keeper.Pieces;
        List<(PieceId Id, int Number)> all = [];
        foreach (LogSegment segment in host.Log!.Segments.All)
        {
            foreach ((PieceId id, int number) in pieces.In(segment.Number, 0, long.MaxValue))
            {
                all.Add((id, number));
                Flip(cube, pieces.PlaceOf(id, number)!.Value);
            }
        }

        Assert.Equal(24, all.Count);
        if (isScrubbed)
        {
            cube.Cube.Advance(TimeSpan.FromMinutes(3));
        }
        else
        {
            for (int number = 0; number < 6; number++)
            {
                // From its own disk, or at a server that has no copy, which asks the one that leads first.
                int reader = isOwn ? Rotten : WithoutCopy(cube, keys[number]);
                (KeyValueAnswer answer, byte[] read) = LongValues.Read(cube, reader, keys[number], 0, long.MaxValue);
                Assert.Equal(Done, answer.Status);
                Assert.Equal(LongValues.Of(number, 900_000), read);
            }

            // A reader goes to another server for the rest of a value: so it meets the first piece of each.
            cube.Cube.Advance(TimeSpan.FromSeconds(5));
        }

        byte[] buffer = new byte[LogPieces.BufferBytes];
        int right = all.Count(p =>
            cube.Cube.Await(pieces.ReadAsync(host.Log, p.Id, p.Number, buffer))
                is { Status: DiskStatus.Done, IsRotten: false }
        );
        Assert.InRange(right, isScrubbed ? all.Count : 4, all.Count);
        Assert.Equal(right, cube.Cube[Rotten].Service<KeyValueService>().Repaired);
        cube.Cube.AssertQuiet();
    }

    private static bool IsLed(StoreCube cube, string key)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(key);
        return HostOf(cube).Find(GroupId.Of(0, bytes, cube.Cube.Shape)) is { Leads: true };
    }

    private static int WithoutCopy(StoreCube cube, string key)
    {
        Member member = HostOf(cube).Find(GroupId.Of(0, Encoding.UTF8.GetBytes(key), cube.Cube.Shape))!;
        return Enumerable.Range(0, 4).Single(rank => member.PositionOf(cube.Cube.Shape.At(rank)) < 0);
    }

    private static void Flip(StoreCube cube, LogLocation at)
    {
        IServerDisk disk = cube.Cube.Cube.ServerOf<KeyValueService>(Rotten).Disk;
        string name = string.Create(CultureInfo.InvariantCulture, $"seg-{at.Segment:x8}.log");
        IDiskFile file = cube.Cube.Await(disk.OpenAsync(name, create: false)).Value!;
        byte[] one = new byte[1];
        long place = at.Offset + (at.Length / 2);
        Assert.Equal(1, cube.Cube.Await(file.ReadAsync(place, one)).Value);
        one[0] ^= 4;
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.WriteAsync(place, one, sync: true)));
        file.Close();
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

                Flip(cube, at);
                flipped++;
            }
        }

        return flipped;
    }
}
