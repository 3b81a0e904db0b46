using System.Buffers;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>A start takes a snapshot in place of the records before it, and has what these have; one that does not fit
/// is ignored.</summary>
public sealed class SnapshotStartTests
{
    private const int Keys = 120;
    private const int LongKeys = 6;
    private readonly byte[] _long = new byte[300_000];

    public SnapshotStartTests() => new Random(3).NextBytes(_long);

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(false, true)]
    public void All_that_was_answered_is_there_after_stops_and_power_failures(bool isOrderly, bool hasLong)
    {
        using StoreCube cube = Filled(hasLong);
        cube.Cube.Advance(TimeSpan.FromSeconds(4));
        for (int round = 0; round < 3; round++)
        {
            // Some of it behind the snapshot.
            for (int key = round; key < Keys; key += 9)
            {
                Assert.Equal(Done, cube.Put(key % 3, $"key {key}", ValueOf(key)).Status);
            }

            cube.AwaitSettled();
            HashSet<(uint, ulong, int, bool)>[] before = [.. Enumerable.Range(0, 3).Select(rank => Known(cube, rank))];
            if (isOrderly)
            {
                cube.Cube.Cube.ShutdownAll();
            }

            Restart(cube, 0, 1, 2);
            Assert.All(Enumerable.Range(0, 3), rank => Assert.True(cube.Store(rank).Host.HasSnapshot));
            cube.AwaitSettled();
            for (int rank = 0; rank < 3; rank++)
            {
                Assert.Equal(before[rank], Known(cube, rank));
                AssertNeeded(cube.Store(rank).Host, hasLong);
            }

            Check(cube, 0, hasLong);
            cube.Cube.Kill(cube.Cube.Shape.At(round));
            Check(cube, (round + 1) % 3, hasLong);
            cube.Cube.Revive(cube.Cube.Shape.At(round));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void One_that_is_not_as_it_was_written_is_ignored_and_another_is_written()
    {
        using StoreCube cube = Filled(hasLong: false);
        cube.Cube.Advance(TimeSpan.FromSeconds(4));
        long length = Read(cube, 2).Bytes.Length;
        List<Func<byte[], byte[]>> wrongs =
        [
            .. new long[]
            {
                0,
                9,
                13,
                17,
                33,
                41,
                300,
                511,
                512,
                517,
                521,
                560,
                length / 3,
                length / 2,
                length - 1,
            }.Select(at => (Func<byte[], byte[]>)(b => Flipped(b, at))),
            b => b[..^1],
            b => [.. b, 0],
            b => b[..512],
            _ => [],
            b => new byte[b.Length],
            OfFormat2,
            _ => Read(cube, 0).Bytes,
        ];
        foreach (Func<byte[], byte[]> wrong in wrongs)
        {
            (string name, byte[] bytes) = Read(cube, 2);
            Write(cube, 2, name, wrong(bytes));
            Restart(cube, 2);
            Assert.False(cube.Store(2).Host.HasSnapshot);
            cube.Cube.Advance(TimeSpan.FromSeconds(2));
        }

        // Whatever stood in the place of one: the next is right.
        Restart(cube, 2);
        Assert.True(cube.Store(2).Host.HasSnapshot);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        AssertNeeded(cube.Store(2).Host, hasLong: false);
        Check(cube, 2, hasLong: false);
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Check(cube, 2, hasLong: false);
    }

    [Fact]
    public void An_old_one_is_right_also_when_much_of_what_it_names_was_compacted_since()
    {
        using StoreCube cube = Filled(hasLong: false);
        cube.Cube.Advance(TimeSpan.FromSeconds(4));
        (string name, byte[] bytes) = Read(cube, 2);
        uint oldest = cube.Store(2).Host.Log!.Segments.Oldest;
        for (int round = 0; round < 6; round++)
        {
            for (int key = 0; key < Keys; key++)
            {
                Assert.Equal(Done, cube.Put(key % 3, $"key {key}", "between").Status);
                cube.Delete(key % 3, $"gone {key}");
                Assert.Equal(Done, cube.Put(key % 3, $"key {key}", ValueOf(key)).Status);
            }

            cube.Cube.Advance(TimeSpan.FromSeconds(12));
        }

        Assert.True(cube.Store(2).Host.Log!.Segments.Oldest > oldest);
        cube.AwaitSettled();
        HashSet<(uint, ulong, int, bool)> before = Known(cube, 2);
        foreach (string other in Snapshots(cube, 2))
        {
            cube.Cube.Await(DiskOf(cube, 2).DeleteAsync(other));
        }

        Write(cube, 2, name, bytes);
        Restart(cube, 2);
        Assert.True(cube.Store(2).Host.HasSnapshot);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.Equal(before, Known(cube, 2));
        AssertNeeded(cube.Store(2).Host, hasLong: false);
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Check(cube, 2, hasLong: false, deleted: 1);
    }

    [Fact]
    public void One_of_a_log_that_went_on_otherwise_is_ignored()
    {
        // Nothing is compacted: what lies in one place only is not what a power failure takes.
        using StoreCube cube = Filled(hasLong: false, segmentBytes: 4 << 20);
        cube.Cube.Advance(TimeSpan.FromSeconds(4));
        (string name, byte[] bytes) = Read(cube, 2);
        var mark = LogMark.Read(bytes.AsSpan(Sectors.Size + SnapshotFormat.BlockHead));
        IDiskFile file = cube.Cube.Await(DiskOf(cube, 2).OpenAsync(SegmentFormat.NameOf(mark.Segment), false)).Value!;
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.SetLengthAsync(mark.LastAt)));
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.SyncAsync()));
        Restart(cube, 2);

        // One before it may have come back with the power failure, and be right.
        Assert.DoesNotContain(name, Snapshots(cube, 2));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Check(cube, 2, hasLong: false);
    }

    // What a damaged store wrote when it began anew is a record that a snapshot names: it once took all that the
    // snapshot had with it (seed 49 of the swarm's kv-disks).
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_of_a_store_that_has_begun_anew_is_as_good_as_any(bool hasLong)
    {
        using StoreCube cube = Filled(hasLong);
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(DiskOf(cube, 2).DeleteAsync(SegmentFormat.StoreName)));
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(DiskOf(cube, 2).SyncAsync()));
        StoreId before = cube.Store(2).Host.Store;
        Restart(cube, 2);
        Assert.NotEqual(before, cube.Store(2).Host.Store);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        cube.Cube.Advance(TimeSpan.FromSeconds(4));
        HashSet<(uint, ulong, int, bool)> known = Known(cube, 2);
        Assert.NotEmpty(known);
        for (int times = 0; times < 2; times++)
        {
            Restart(cube, 2);
            Assert.True(cube.Store(2).Host.HasSnapshot);
            Assert.Equal(known, Known(cube, 2));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
            AssertNeeded(cube.Store(2).Host, hasLong);
        }

        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Check(cube, 2, hasLong);
    }

    [Fact]
    public void A_key_that_ends_does_so_after_a_start_from_a_snapshot_too()
    {
        using StoreCube cube = Filled(hasLong: false);
        var put = new KeyValuePut { Expires = TimeSpan.FromSeconds(60) };
        for (int key = 0; key < 20; key++)
        {
            Assert.Equal(
                Done,
                cube.Cube.Await(cube[key % 3].PutAsync(KeyValueKey.Of($"ends {key}"), "x"u8.ToArray(), put)).Status
            );
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        Restart(cube, 0, 1, 2);
        Assert.All(Enumerable.Range(0, 3), rank => Assert.True(cube.Store(rank).Host.HasSnapshot));
        cube.AwaitSettled();
        Assert.Equal(Done, cube.Get(0, "ends 7").Answer.Status);
        cube.Cube.Advance(TimeSpan.FromSeconds(60));
        Assert.All(Enumerable.Range(0, 20), key => Assert.Equal(NotFound, cube.Get(1, $"ends {key}").Answer.Status));
        Check(cube, 2, hasLong: false);
    }

    private StoreCube Filled(bool hasLong, int segmentBytes = 64 << 10)
    {
        var options = new KeyValueOptions
        {
            SnapshotAfter = 16,
            TailBytes = 4 << 10,
            MaxValueLength = hasLong ? 1 << 20 : 8 << 10,
            SegmentBytes = hasLong ? 512 << 10 : segmentBytes,
        };
        var cube = new StoreCube(3, 1, 1, options);
        cube.AwaitLed();
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(Done, cube.Put(key % 3, $"key {key}", ValueOf(key)).Status);
            Assert.Equal(Done, cube.Put(key % 3, $"gone {key}", "x").Status);
        }

        for (int key = 0; key < Keys; key += 10)
        {
            Assert.Equal(Done, cube.Delete(key % 3, $"gone {key}").Status);
            Assert.Equal(Done, cube.Change(1, $"sum {key}", KeyValueChange.Add(key)).Answer.Status);
        }

        for (int key = 0; hasLong && key < LongKeys; key++)
        {
            Assert.Equal(
                Done,
                cube.Cube.Await(cube[key % 3].PutAsync(LongKey(key), _long.AsMemory(key), new())).Status
            );
        }

        return cube;
    }

    private void Check(StoreCube cube, int asks, bool hasLong, int deleted = 10)
    {
        for (int key = 0; key < Keys; key += 3)
        {
            Assert.Equal(ValueOf(key), cube.Get(asks, $"key {key}").Value);
            Assert.Equal(key % deleted == 0 ? NotFound : Done, cube.Get(asks, $"gone {key}").Answer.Status);
            Assert.Equal(key % 10 == 0 ? $"{key}" : "", cube.Get(asks, $"sum {key}").Value);
        }

        for (int key = 0; hasLong && key < LongKeys; key++)
        {
            var value = new ArrayBufferWriter<byte>();
            cube.Cube.Await(cube[asks].GetAsync(LongKey(key), value: value));
            Assert.True(value.WrittenSpan.SequenceEqual(_long.AsSpan(key)));
        }
    }

    // Their power fails, if they run, and they start.
    private static void Restart(StoreCube cube, params int[] ranks)
    {
        foreach (int rank in ranks)
        {
            cube.Cube.Cube.Kill(rank);
        }

        foreach (int rank in ranks)
        {
            cube.Cube.Cube.Revive(rank);
        }

        cube.Cube.AwaitUntil(() => Array.TrueForAll(ranks, rank => cube.Store(rank).Host.IsOpen));
    }

    private static HashSet<(uint Group, ulong Version, int Length, bool IsDeleted)> Known(StoreCube cube, int rank)
    {
        MemberHost host = cube.Store(rank).Host;
        List<(uint, ulong, int, bool)> known =
        [
            .. host
                .Members.SelectMany(m => host.Index.Of(m.Id.Number))
                .Where(static k => !k.Value.IsDeleted)
                .Select(static k => (k.Value.Group, k.Value.Version, k.Value.Length, k.Value.IsDeleted)),
        ];
        HashSet<(uint, ulong, int, bool)> each = [.. known];
        Assert.Equal(known.Count, each.Count);
        return each;
    }

    // What is counted is what is needed.
    private static void AssertNeeded(MemberHost host, bool hasLong)
    {
        HashSet<LogLocation> needed = [];
        foreach (Member member in host.Members)
        {
            needed.UnionWith(host.Index.Of(member.Id.Number).Select(static k => k.Value.Location));
            needed.UnionWith(member.Places);
            for (ulong index = member.Tail.Base + 1; index <= member.Tail.Last; index++)
            {
                needed.Add(member.Tail[index].Location);
            }
        }

        List<LogLocation> places = [];
        host.Keeper.AddPlaces(places);
        needed.UnionWith(places);
        long bytes = needed.Sum(static l => (long)l.Length);
        Assert.InRange(host.Needed, bytes, hasLong ? long.MaxValue : bytes);
    }

    private static IServerDisk DiskOf(StoreCube cube, int rank) => cube.Cube.Cube.ServerOf<KeyValueService>(rank).Disk;

    private static IEnumerable<string> Snapshots(StoreCube cube, int rank) =>
        cube
            .Cube.Await(DiskOf(cube, rank).ListAsync())
            .Value!.Select(static e => e.Name)
            .Where(static name => SnapshotFormat.TryNumber(name, out _));

    private static (string Name, byte[] Bytes) Read(StoreCube cube, int rank)
    {
        string name = Assert.Single(Snapshots(cube, rank));
        IDiskFile file = cube.Cube.Await(DiskOf(cube, rank).OpenAsync(name, create: false)).Value!;
        byte[] bytes = new byte[file.Length];
        Assert.Equal(bytes.Length, cube.Cube.Await(file.ReadAsync(0, bytes)).Value);
        file.Close();
        return (name, bytes);
    }

    private static void Write(StoreCube cube, int rank, string name, byte[] bytes)
    {
        IServerDisk disk = DiskOf(cube, rank);
        IDiskFile file = cube.Cube.Await(disk.OpenAsync(name, create: true)).Value!;
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.SetLengthAsync(0)));
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.WriteAsync(0, bytes, sync: true)));
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(disk.SyncAsync()));
        file.Close();
    }

    private static byte[] Flipped(byte[] bytes, long at)
    {
        bytes[at] ^= 0x10;
        return bytes;
    }

    private static byte[] OfFormat2(byte[] bytes)
    {
        bytes[8] = 2;
        SegmentFormat.Seal(bytes.AsSpan(0, Sectors.Size));
        return bytes;
    }

    private static KeyValueKey LongKey(int key) => KeyValueKey.Of($"long {key}");

    private static string ValueOf(int key) => $"{key} {new string('x', 1_500)}";
}
