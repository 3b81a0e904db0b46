using CamCube.Runtime.Services;
using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>Long values lie in pieces, which are garbage unless an entry names them.</summary>
public sealed class LogPieceTests
{
    private static readonly LogOptions Options = new() { SegmentBytes = 2 << 20, BufferBytes = 512 << 10 };

    [Fact]
    public void Values_of_all_lengths_are_read_whole_and_in_ranges_over_pieces()
    {
        using TestCube cube = Cube();
        PieceHolder holder = Open(cube);
        int[] lengths = [1, (64 << 10) + 1, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 1_000_000, 2 << 20];
        for (int i = 0; i < lengths.Length; i++)
        {
            Write(cube, $"key {i}", (ulong)i, lengths[i]);
        }

        for (int run = 0; run < 2; run++)
        {
            holder = Service(cube);
            for (int i = 0; i < lengths.Length; i++)
            {
                byte[] value = LogBench.ValueOf((ulong)i, lengths[i]);
                PieceList list = holder.Index[$"key {i}"].List;
                Assert.Equal(value, Read(cube, list, 0, lengths[i] + 10, out PieceRead read));
                Assert.Equal((DiskStatus.Done, lengths[i]), (read.Status, read.Bytes));
                foreach (int offset in (int[])[0, 1, (256 << 10) - 3, 256 << 10, 700_001, lengths[i] - 1, lengths[i]])
                {
                    int from = Math.Min(offset, lengths[i]),
                        count = Math.Min(300_000, lengths[i] - from);
                    Assert.Equal(value[from..(from + count)], Read(cube, list, from, count, out _));
                }

                Assert.Empty(Read(cube, list, long.MaxValue, 10, out _));
            }

            Crash(cube);
        }
    }

    [Fact]
    public void Pieces_that_nobody_names_or_needs_any_more_give_their_room_back_and_others_are_moved()
    {
        using TestCube cube = Cube();
        Open(cube);
        Write(cube, "stays", 1, 1_500_000);
        for (ulong i = 0; i < 12; i++)
        {
            Write(cube, "changes", 10 + i, 900_000);
        }

        Service(cube).Write("half", 50, LogBench.ValueOf(50, 600_000), isNamed: false);
        cube.AwaitUntil(() => Service(cube).Written == 14);
        PieceHolder holder = Service(cube);
        Assert.Equal(3, holder.Pieces.Count);
        cube.Advance(TimeSpan.FromSeconds(30));
        Assert.True(holder.Log.Counts.Compacted > 2, $"{holder.Log.Counts}");
        Assert.InRange(holder.Needed, 3_000_000, 3_100_000);
        Assert.True(DiskBytes(cube) < 2 * holder.Needed, $"{DiskBytes(cube)} for {holder.Needed}");
        Check(cube, "stays", 1, 1_500_000);
        Check(cube, "changes", 21, 900_000);

        // After a start nobody holds the half value.
        holder = Crash(cube);
        Assert.Equal(2, holder.Pieces.Count);
        Write(cube, "changes", 60, 900_000);
        cube.Advance(TimeSpan.FromSeconds(30));
        Check(cube, "stays", 1, 1_500_000);
        Check(cube, "changes", 60, 900_000);
        Assert.InRange(holder.Needed, 2_400_000, 2_450_000);
    }

    [Fact]
    public void A_piece_that_is_missing_or_rotten_or_anothers_is_named()
    {
        using TestCube cube = Cube();
        PieceHolder holder = Open(cube);
        Write(cube, "a", 1, 700_000);
        Write(cube, "b", 2, 700_000);
        PieceList list = holder.Index["a"].List,
            other = holder.Index["b"].List;

        // The pieces of another value under this one's sums.
        Read(cube, list with { Id = other.Id }, 300_000, 10, out PieceRead read);
        Assert.Equal(new PieceRead(DiskStatus.Failed, 0, 1, true), read);
        Read(cube, list with { Id = new PieceId(77, 7) }, 0, 10, out read);
        Assert.Equal(new PieceRead(DiskStatus.NotFound, 0, 0, false), read);

        // Segment 1 has the first pieces; a bit of the second turns over.
        IServerDisk disk = cube.Cube.ServerOf<PieceHolder>(0).Disk;
        IDiskFile file = cube.Await(disk.OpenAsync("seg-00000001.log", create: false)).Value!;
        byte[] one = new byte[1];
        cube.Await(file.ReadAsync(300_000, one));
        one[0] ^= 1;
        cube.Await(file.WriteAsync(300_000, one, sync: true));
        byte[] bytes = Read(cube, list, 0, 700_000, out read);
        Assert.Equal(new PieceRead(DiskStatus.Failed, 256 << 10, 1, true), read);
        Assert.Equal(LogBench.ValueOf(1, 700_000)[..(256 << 10)], bytes);
    }

    [Fact]
    public void Lists_that_cannot_be_are_no_lists()
    {
        var list = new PieceList(new PieceId(3, 4), 600_000, [1, 2, 3]);
        byte[] right = list.ToBytes();
        PieceList read = PieceList.Read(right)!;
        Assert.Equal((list.Id, list.Length), (read.Id, read.Length));
        Assert.Equal(list.Sums, read.Sums);
        Assert.Equal([256 << 10, 256 << 10, 600_000 - (512 << 10)], Enumerable.Range(0, 3).Select(read.LengthOf));
        for (int length = 0; length < right.Length; length++)
        {
            Assert.Null(PieceList.Read(right.AsSpan(0, length)));
        }

        Assert.Null(PieceList.Read([.. right, 0]));
        foreach (ulong length in (ulong[])[0, 1 << 20, (1 << 30) + 1, 1UL << 62, ulong.MaxValue])
        {
            BitConverter.TryWriteBytes(right, length);
            Assert.Null(PieceList.Read(right));
        }

        Assert.False(LogPieces.TryKey(new byte[19], out _, out _));
        Assert.False(LogPieces.TryKey([.. new byte[16], 0, 0, 0, 0xFF], out _, out _));
    }

    [Fact]
    public void Whenever_power_fails_a_value_that_was_named_is_whole_and_one_that_was_not_is_not_there()
    {
        int named = 0,
            half = 0;
        for (int i = 0; i < 60; i++)
        {
            using TestCube cube = Cube((ulong)i + 1);
            cube.DiskFaults.Add(new SurvivingWrites(0.5));
            cube.DiskFaults.Add(new TornWrites(0.5));
            PieceHolder holder = Open(cube);
            holder.Write("key", 5, LogBench.ValueOf(5, 900_000));
            cube.Advance(TimeSpan.FromMicroseconds(200 * i));
            bool isTold = holder.Written == 1;
            holder = Crash(cube);
            Assert.True(holder.Opening!.State == LogState.Whole, holder.Opening.Words);
            bool isThere = holder.Index.ContainsKey("key");
            Assert.True(isThere || !isTold);
            Assert.Equal(isThere ? 1 : 0, holder.Pieces.Count);
            if (isThere)
            {
                Check(cube, "key", 5, 900_000);
            }

            named += isThere ? 1 : 0;
            half += isThere ? 0 : 1;
        }

        Assert.True(named > 5 && half > 5, $"{named} named, {half} half");
    }

    private static TestCube Cube(ulong seed = 1) =>
        new TestCube(1, 1, 1, new SimulatorOptions { Seed = seed }).Add(
            new ServiceDefinition
            {
                Id = new ServiceId(0x7165),
                Name = "log",
                Create = static a => new PieceHolder(a.Server),
            }
        );

    private static PieceHolder Service(TestCube cube) => cube[0].Service<PieceHolder>();

    private static PieceHolder Open(TestCube cube)
    {
        Service(cube).Open(Options);
        cube.AwaitUntil(() => Service(cube).Opening is not null);
        return Service(cube);
    }

    private static PieceHolder Crash(TestCube cube)
    {
        cube.Cube.Kill(0);
        cube.Cube.Revive(0);
        return Open(cube);
    }

    private static void Write(TestCube cube, string key, ulong id, int length)
    {
        int written = Service(cube).Written;
        Service(cube).Write(key, id, LogBench.ValueOf(id, length));
        cube.AwaitUntil(() => Service(cube).Written > written);
    }

    private static byte[] Read(TestCube cube, PieceList list, long offset, int count, out PieceRead read)
    {
        byte[] into = new byte[count];
        PieceHolder holder = Service(cube);
        PieceRead? done = null;
        holder.Read(list, offset, into, r => done = r);
        cube.AwaitUntil(() => done is not null);
        read = done!.Value;
        return into[..read.Bytes];
    }

    private static void Check(TestCube cube, string key, ulong id, int length)
    {
        PieceList list = Service(cube).Index[key].List;
        Assert.Empty(cube.Faults);
        Assert.True(Service(cube).Pieces.IsWhole(list), "it is whole");
        Assert.Equal(LogBench.ValueOf(id, length), Read(cube, list, 0, length, out _));
        Assert.Empty(cube.Faults);
    }

    private static long DiskBytes(TestCube cube) =>
        cube.Await(cube.Cube.ServerOf<PieceHolder>(0).Disk.ListAsync()).Value!.Sum(static e => e.Length);
}
