using CamCube.Runtime;
using CamCube.Runtime.Memory;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>A table in memory: what is there while a majority of a key's servers runs, and what becomes of it.
/// </summary>
public sealed class MemoryTableTests
{
    private const int Keys = 40;

    [Fact]
    public void Who_starts_again_is_another_store_and_is_sent_all_of_it()
    {
        using StoreCube cube = Filled(4);
        StoreId before = cube.Store(1).Host.Memory!.Value;
        for (int rank = 0; rank < 4; rank++)
        {
            // One after the other, changes go on meanwhile.
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
            cube.Cube.AwaitConverged();
            int other = (rank + 1) % 4;
            Assert.Equal(Done, cube.Put(other, $"key {rank}", $"while {rank} is off").Status);
            Assert.Equal(Done, cube.Delete(other, $"key {Keys - 1 - rank}").Status);
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        Assert.NotEqual(before, cube.Store(1).Host.Memory);
        for (int i = 0; i < Keys; i++)
        {
            string? value =
                i < 4 ? $"while {i} is off"
                : i >= Keys - 4 ? null
                : $"value {i}";
            Assert.Equal((value is null ? NotFound : Done, value ?? ""), Get(cube, i % 4, $"key {i}"));
        }

        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Nothing_of_it_is_on_a_disk_nor_needs_one()
    {
        using StoreCube cube = Filled(3);
        long before = Enumerable.Range(0, 3).Sum(rank => cube.Store(rank).Host.Log!.Segments.All.Sum(s => s.End));
        for (int i = 0; i < 50; i++)
        {
            Assert.Equal(Done, cube.Put(i % 3, $"more {i}", new string('x', 4_000)).Status);
        }

        Assert.Equal(before, Enumerable.Range(0, 3).Sum(r => cube.Store(r).Host.Log!.Segments.All.Sum(s => s.End)));
    }

    [Fact]
    public void When_all_have_started_again_it_begins_anew_and_no_version_fits_again()
    {
        using StoreCube cube = Filled(3);
        ulong version = cube.Get(0, "key 1").Answer.Version;
        for (int rank = 0; rank < 3; rank++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        for (int rank = 0; rank < 3; rank++)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.AwaitLed();
        cube.AwaitSettled();
        for (int i = 0; i < Keys; i++)
        {
            Assert.Equal((NotFound, ""), Get(cube, 0, $"key {i}"));
            KeyValueAnswer put = cube.Put(1, $"key {i}", $"new {i}");
            Assert.Equal(Done, put.Status);
            Assert.NotEqual(version, put.Version);
            Assert.NotEqual(version >> 40, put.Version >> 40);
        }

        Assert.Equal(Conflict, cube.Put(2, "key 1", "old", KeyValueCondition.Is(version)).Status);
        cube.Cube.AssertQuiet();
    }

    // Longer than it is there: an earlier attempt may have been done by those who are gone. Not longer: it is new here.
    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(9, true)]
    [InlineData(16, false)]
    [InlineData(254, false)]
    [InlineData(255, false)]
    public void Who_asked_before_it_began_anew_is_not_done_and_who_asked_later_is(byte tenths, bool isDone)
    {
        using var cube = new StoreCube(3, 1, 1, new KeyValueOptions { Mode = "storage=memory" });
        cube.AwaitLed();
        Member[] members = [.. cube.Store(0).Host.Members];
        long age = cube.Cube.NowNanos - members.Min(static m => m.BegunNanos);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1_300) - TimeSpan.FromMicroseconds(age / 1_000));
        for (int crowd = 0; crowd < 20; crowd++)
        {
            var request = new RawRequest($"key {crowd}")
            {
                Attempt = 3,
                Number = (ulong)crowd + 1,
                EarlierTenths = tenths,
                Value = "new",
            };
            request.Arrive(cube);
            Assert.Equal(isDone ? (Done, "new") : (NotFound, ""), Get(cube, crowd % 3, $"key {crowd}"));
        }
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 2)]
    [InlineData(2, 0)]
    public void What_a_majority_has_lost_at_once_is_forgotten_by_the_rest_and_goes_on(int first, int second)
    {
        using StoreCube cube = Filled(3);
        cube.Cube.Kill(cube.Cube.Shape.At(first));
        cube.Cube.Kill(cube.Cube.Shape.At(second));
        cube.Cube.AwaitConverged();
        int left = 3 - first - second;
        Assert.Equal(Unavailable, cube.Get(left, "key 1").Answer.Status);
        cube.Cube.Revive(cube.Cube.Shape.At(first));
        cube.Cube.Revive(cube.Cube.Shape.At(second));
        cube.Cube.AwaitConverged();
        cube.AwaitLed();
        cube.AwaitSettled();
        for (int i = 0; i < Keys; i++)
        {
            Assert.Equal((NotFound, ""), Get(cube, left, $"key {i}"));
            Assert.Equal(Done, cube.Put(i % 3, $"key {i}", $"new {i}").Status);
            Assert.Equal((Done, $"new {i}"), Get(cube, (i + 1) % 3, $"key {i}"));
        }

        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Another_stands_in_for_one_that_is_lost_for_long_and_never_for_a_majority()
    {
        using var cube = new StoreCube(5, 1, 1, Options(TimeSpan.FromSeconds(2)));
        cube.AwaitLed();
        Fill(cube, 5);
        foreach (int rank in new[] { 1, 2 })
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
            cube.Cube.AwaitConverged();
            cube.Cube.Advance(TimeSpan.FromSeconds(10));
        }

        foreach (Member member in new[] { 0, 3, 4 }.SelectMany(rank => cube.Store(rank).Host.Members))
        {
            int others = member.State.Epoch is { } epoch ? Others(epoch, member.Planned) : 0;
            Assert.True(2 * others < member.Planned.Length, $"{member.Id}: {member.State}");
        }

        cube.Cube.Revive(cube.Cube.Shape.At(1));
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal((Done, $"value {i}"), Get(cube, i % 5, $"key {i}")));
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Long_values_lie_in_pieces_there_too_and_come_with_the_state()
    {
        using StoreCube cube = Filled(3);
        byte[] value = LongValues.Of(7, 700_000);
        Assert.Equal(Done, LongValues.Write(cube, 0, "long", value).Status);
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        Assert.Equal(value, LongValues.Read(cube, 2, "long", 0, long.MaxValue).Value);
    }

    [Fact]
    public void It_is_full_when_the_memory_is_and_deletes_go_on_and_make_room()
    {
        var memory = new ServerOptions { Memory = new MemoryOptions { ServerLimit = 40 << 20 } };
        using var cube = new StoreCube(3, 1, 1, Options(TimeSpan.FromSeconds(180)), server: memory);
        cube.AwaitLed();
        string value = new('x', 60_000);
        int count = 0;
        while (cube.Put(0, $"key {count}", value) is { Status: Done })
        {
            count++;
            Assert.InRange(count, 0, 1_200);
        }

        Assert.Equal(Full, cube.Put(0, $"key {count}", value).Status);
        Assert.InRange(count, 50, 700);
        for (int i = 0; i < count; i += 2)
        {
            Assert.Equal((i, Done), (i, cube.Delete(1, $"key {i}").Status));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(Done, cube.Put(2, "another", value).Status);
        Assert.Equal((Done, value), Get(cube, 2, "key 1"));
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void A_table_with_data_on_disks_does_not_move_into_memory()
    {
        var options = new KeyValueOptions();
        using var cube = new StoreCube(3, 1, 1, options);
        cube.AwaitLed();
        Assert.Equal(Done, cube.Put(0, "a", "b").Status);
        options.Mode = "storage=memory";
        cube.Cube.Shutdown(cube.Cube.Shape.At(1));
        cube.Cube.Revive(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(
            "table 0 was made with reads=majority,acknowledge=all, and the setting Mode says "
                + "reads=majority,acknowledge=all,storage=memory. That cannot be changed once there is data: set it as "
                + "it was, or take another table and copy the keys into it",
            cube[1].Failure
        );
    }

    private static int Others(GroupEpoch epoch, Coordinate[] planned)
    {
        int others = 0;
        foreach (StoreId store in epoch.Members)
        {
            others += planned.Contains(store.Server) ? 0 : 1;
        }

        return others;
    }

    private static (KeyValueStatus, string) Get(StoreCube cube, int rank, string key)
    {
        (KeyValueAnswer answer, string value) = cube.Get(rank, key);
        return (answer.Status, value);
    }

    private static StoreCube Filled(int servers)
    {
        var cube = new StoreCube(servers, 1, 1, Options(TimeSpan.FromSeconds(180)));
        cube.AwaitLed();
        Fill(cube, servers);
        return cube;
    }

    private static void Fill(StoreCube cube, int servers)
    {
        for (int i = 0; i < Keys; i++)
        {
            Assert.Equal(Done, cube.Put(i % servers, $"key {i}", $"value {i}").Status);
            Assert.Equal((Done, $"value {i}"), Get(cube, (i + 1) % servers, $"key {i}"));
        }
    }

    private static KeyValueOptions Options(TimeSpan replicateAfter) =>
        new()
        {
            Mode = "storage=memory",
            Timeout = TimeSpan.FromSeconds(1),
            ReplicateAfter = replicateAfter,
        };
}
