using System.Security.Cryptography;
using CamCube.Simulator.Disks;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Long values, and servers that fail while they are written, read and fetched.</summary>
public sealed class LongValueFaultTests
{
    private const int Servers = 4;
    private const int Keys = 5;
    private static readonly KeyValueOptions Options = new()
    {
        SegmentBytes = 8 << 20,
        TailBytes = 16 << 10,
        ReplicateAfter = TimeSpan.FromSeconds(4),
        Timeout = TimeSpan.FromSeconds(2),
    };

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void A_crowd_finds_whole_values_and_no_others_whoever_fails_in_the_middle(int seed)
    {
        using var cube = new StoreCube(Servers, 1, 1, Options);
        var crowd = new LongValueCrowd(cube, Keys, seed);
        cube.AwaitLed();
        var random = new Random(seed);
        int away = -1;
        for (int round = 0; round < 16; round++)
        {
            crowd.BeginAll(away);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(80)));
            if (away >= 0 && random.Next(2) == 0)
            {
                cube.Cube.Revive(cube.Cube.Shape.At(away), emptyDisk: random.Next(3) == 0);
                away = -1;
            }
            else if (away < 0 && random.Next(6) == 0)
            {
                crowd.FailAll();
            }
            else if (away < 0 && random.Next(2) == 0)
            {
                away = random.Next(Servers);
                crowd.Fail(away);
            }

            crowd.EndAll();
            crowd.Check(away);
            if (away < 0)
            {
                cube.Cube.AwaitConverged();
                cube.AwaitSettled();
            }
        }

        if (away >= 0)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(away));
        }

        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        crowd.Check(-1);
        Assert.True(crowd.Done > 40, $"{crowd.Done} were done");

        // What nobody names any more is gone, and what is named is at each of its servers.
        cube.Cube.Advance(TimeSpan.FromSeconds(40));
        crowd.CheckCopies();
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Who_was_away_and_a_new_disk_fetch_what_they_missed()
    {
        using var cube = new StoreCube(3, 1, 1, Options);
        cube.AwaitLed();
        byte[] first = LongValues.Of(1, 3 << 20),
            second = LongValues.Of(2, 2_000_001);
        Assert.Equal(Done, LongValues.Write(cube, 0, "a", first).Status);
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        Assert.Equal(Done, LongValues.Write(cube, 0, "b", second).Status);
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Check(cube, 2, "b", second);
        cube.Cube.Revive(cube.Cube.Shape.At(0), emptyDisk: true);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        Check(cube, 0, "a", first);
        Check(cube, 0, "b", second);
    }

    [Fact]
    public void Whose_source_fails_in_the_middle_reads_on_at_another_server()
    {
        using var cube = new StoreCube(3, 3, 1, Options);
        cube.AwaitLed();
        byte[] value = LongValues.Of(1, 5 << 20);
        Assert.Equal(Done, LongValues.Write(cube, 0, "a", value).Status);
        KeyValueGroup group = Enumerable
            .Range(0, 9)
            .SelectMany(rank => cube[rank].ListGroups())
            .First(g => g.Applied > 1);
        int reader = Enumerable.Range(0, 9).First(rank => !group.Members.Contains(cube.Cube.Shape.At(rank)));
        using IKeyValueReader read = cube.Cube.Await(cube[reader].OpenReadAsync(KeyValueKey.Of("a")));
        var bytes = new MemoryStream();
        for (int part = 0; part < 20; part++)
        {
            if (part == 3)
            {
                cube.Cube.Kill(group.Leader!.Value);
            }

            KeyValuePart next = cube.Cube.Await(read.ReadAsync());
            Assert.Equal(Done, next.Status);
            bytes.Write(next.Bytes.Span);
        }

        Assert.Equal(SHA256.HashData(value), SHA256.HashData(bytes.ToArray()));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Who_has_a_value_reads_it_from_its_own_disk_when_all_others_are_gone(int rank)
    {
        using var cube = new StoreCube(3, 1, 1, Options);
        cube.AwaitLed();
        byte[] value = LongValues.Of(1, 3_000_001);
        Assert.Equal(Done, LongValues.Write(cube, 0, "a", value).Status);
        using IKeyValueReader read = cube.Cube.Await(cube[rank].OpenReadAsync(KeyValueKey.Of("a")));
        using IKeyValueReader beside = cube.Cube.Await(cube[rank].OpenReadAsync(KeyValueKey.Of("a")));
        cube.Cube.Kill(cube.Cube.Shape.At((rank + 1) % 3));
        cube.Cube.Kill(cube.Cube.Shape.At((rank + 2) % 3));
        beside.Select(2_000_000, 1_000_001);
        Assert.Equal(SHA256.HashData(value), SHA256.HashData(LongValues.Rest(cube, read)));
        Assert.Equal(SHA256.HashData(value.AsSpan(2_000_000)), SHA256.HashData(LongValues.Rest(cube, beside)));
    }

    [Fact]
    public void Whose_own_disk_stands_still_reads_on_at_another_server_and_gets_its_memory_back()
    {
        using var cube = new StoreCube(3, 1, 1, Options);
        cube.AwaitLed();
        byte[] value = LongValues.Of(1, 3_000_001);
        Assert.Equal(Done, LongValues.Write(cube, 0, "a", value).Status);
        IKeyValueReader[] crowd =
        [
            .. Enumerable.Range(0, 20).Select(_ => cube.Cube.Await(cube[2].OpenReadAsync(KeyValueKey.Of("a")))),
        ];
        Assert.All(crowd, r => Assert.Equal(Done, cube.Cube.Await(r.ReadAsync()).Status));
        using (cube.Cube.DiskFaults.Add(new StuckDiskOperations(1), 2))
        {
            foreach (IKeyValueReader reader in crowd)
            {
                byte[] rest = LongValues.Rest(cube, reader);
                Assert.Equal(SHA256.HashData(value.AsSpan(256 << 10)), SHA256.HashData(rest));
                reader.Dispose();
            }
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(0, cube.Store(2).OpenValues);
    }

    [Fact]
    public void A_reader_that_rests_while_the_value_is_overwritten_reads_the_old_one_to_its_end()
    {
        using var cube = new StoreCube(3, 1, 1, Options);
        cube.AwaitLed();
        byte[] old = LongValues.Of(1, 3 << 20);
        Assert.Equal(Done, LongValues.Write(cube, 0, "a", old).Status);
        using IKeyValueReader read = cube.Cube.Await(cube[1].OpenReadAsync(KeyValueKey.Of("a")));
        var bytes = new MemoryStream();
        for (int part = 0; part < 12; part++)
        {
            if (part is 0 or 5)
            {
                Assert.Equal(Done, LongValues.Write(cube, 2, "a", LongValues.Of(part + 2, 1 << 20)).Status);
                cube.Cube.Advance(TimeSpan.FromSeconds(20));
            }

            KeyValuePart next = cube.Cube.Await(read.ReadAsync());
            Assert.Equal(Done, next.Status);
            bytes.Write(next.Bytes.Span);
        }

        Assert.Equal(SHA256.HashData(old), SHA256.HashData(bytes.ToArray()));
    }

    [Fact]
    public void Writers_that_stop_leave_nothing_and_readers_that_never_read_hold_nobody_up()
    {
        using var cube = new StoreCube(3, 1, 1, Options);
        cube.AwaitLed();
        byte[] value = LongValues.Of(1, 2 << 20);
        Assert.Equal(Done, LongValues.Write(cube, 0, "a", value).Status);
        List<IDisposable> open = [];
        for (int i = 0; i < 80; i++)
        {
            IKeyValueWriter writer = cube[i % 3].OpenWrite(KeyValueKey.Of(i % 2 == 0 ? "a" : $"other {i}"));
            Assert.Equal(Done, cube.Cube.Await(writer.WriteAsync(LongValues.Of(i, 600_000))));
            IKeyValueReader reader = cube.Cube.Await(cube[i % 3].OpenReadAsync(KeyValueKey.Of("a")));
            Assert.Equal((i, Done), (i, cube.Cube.Await(reader.ReadAsync()).Status));
            open.AddRange([writer, reader]);
        }

        // Some leave, some do not.
        for (int i = 0; i < 60; i++)
        {
            open[i].Dispose();
        }

        Check(cube, 1, "a", value);
        byte[] next = LongValues.Of(2, 1_500_000);
        Assert.Equal(Done, LongValues.Write(cube, 1, "a", next).Status);
        Check(cube, 2, "a", next);
        open.ForEach(static o => o.Dispose());
        cube.Cube.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(3, LongValues.Pieces(cube));
        Check(cube, 0, "a", next);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void More_than_the_longest_is_refused_and_conditions_hold()
    {
        using var cube = new StoreCube(3, 1, 1, new KeyValueOptions { MaxValueLength = 1 << 20 });
        cube.AwaitLed();
        byte[] value = LongValues.Of(1, (1 << 20) + 1);
        Assert.Equal(TooLarge, LongValues.Write(cube, 0, "a", value).Status);
        KeyValueAnswer put = LongValues.Write(cube, 0, "a", value[..^1], KeyValueCondition.Absent);
        Assert.Equal(Done, put.Status);
        Assert.Equal(Conflict, LongValues.Write(cube, 1, "a", value[1..], KeyValueCondition.Absent).Status);
        using IKeyValueWriter writer = cube[2].OpenWrite(KeyValueKey.Of("a"));
        Assert.Equal(Done, cube.Cube.Await(writer.WriteAsync(value.AsMemory(1))));
        KeyValuePut Under(KeyValueCondition condition) => new() { Condition = condition };
        KeyValueAnswer wrong = cube.Cube.Await(writer.CommitAsync(Under(KeyValueCondition.Is(put.Version + 1))));
        Assert.Equal((Conflict, put.Version), (wrong.Status, wrong.Version));
        Assert.Equal(Done, cube.Cube.Await(writer.CommitAsync(Under(KeyValueCondition.Is(put.Version)))).Status);
        Check(cube, 0, "a", value[1..]);
        Assert.Equal(BadKey, LongValues.Write(cube, 0, "", value[1..]).Status);
    }

    [Fact]
    public void A_full_disk_refuses_long_values_and_takes_them_again_when_others_are_deleted()
    {
        using var cube = new StoreCube(3, 1, 1, Options, capacityBytes: 60 << 20);
        cube.AwaitLed();
        int count = 0;
        KeyValueStatus last = Done;
        while (last == Done && count < 40)
        {
            last = LongValues.Write(cube, count % 3, $"{count}", LongValues.Of(count, 2_000_000)).Status;
            count += last == Done ? 1 : 0;
        }

        Assert.Equal(Full, last);
        Assert.InRange(count, 10, 30);
        Check(cube, 1, $"{count - 1}", LongValues.Of(count - 1, 2_000_000));
        for (int i = 0; i < count - 3; i++)
        {
            Assert.Equal(Done, cube.Delete(i % 3, $"{i}").Status);
        }

        cube.Cube.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(Done, LongValues.Write(cube, 0, "after", LongValues.Of(77, 3_000_000)).Status);
        Check(cube, 2, "after", LongValues.Of(77, 3_000_000));
        Check(cube, 1, $"{count - 1}", LongValues.Of(count - 1, 2_000_000));
    }

    private static void Check(StoreCube cube, int rank, string key, byte[] value)
    {
        (KeyValueAnswer answer, byte[] read) = LongValues.Read(cube, rank, key, 0, long.MaxValue);
        Assert.Equal((Done, (long)value.Length), (answer.Status, answer.Length));
        Assert.Equal(SHA256.HashData(value), SHA256.HashData(read));
    }
}
