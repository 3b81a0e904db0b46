using System.Text;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Keys that are there for some time only.</summary>
public sealed class ExpiryTests
{
    private static readonly KeyValueOptions Quick = new()
    {
        Timeout = TimeSpan.FromSeconds(2),
        MaxValueLength = 8 << 10,
        SegmentBytes = 512 << 10,
        TailBytes = 4 << 10,
    };

    [Fact]
    public void Keys_go_after_their_time_and_not_before()
    {
        using var cube = new StoreCube(3, 1, 1, Quick);
        cube.AwaitLed();
        for (int i = 0; i < 200; i++)
        {
            Put(cube, $"key {i}", i % 4 == 0 ? null : 10);
        }

        Assert.InRange(Put(cube, "hostile", uint.MaxValue)!.Value.TotalSeconds, int.MaxValue - 1, int.MaxValue);
        Assert.InRange(Put(cube, "short", -5)!.Value.TotalMilliseconds, 1, 2);

        // Some are put anew, changed, or given another time.
        Put(cube, "key 1", null);
        Assert.Equal(5, cube.Change(0, "key 2", KeyValueChange.Append("+"u8.ToArray())).Answer.Length);
        Assert.Equal(Done, cube.Change(1, "key 3", KeyValueChange.Expire(null)).Answer.Status);
        Assert.Equal(Done, cube.Change(1, "key 4", KeyValueChange.Expire(TimeSpan.FromSeconds(10))).Answer.Status);
        Assert.Equal(NotFound, cube.Change(1, "none", KeyValueChange.Expire(TimeSpan.FromSeconds(10))).Answer.Status);
        Assert.Null(cube.Get(2, "key 3").Answer.Expires);
        Assert.InRange(cube.Get(2, "key 2").Answer.Expires!.Value.TotalSeconds, 8, 10);
        ValueTask<KeyValueAnswer> wait = cube[2]
            .WaitAsync(KeyValueKey.Of("key 5"), cube.Get(0, "key 5").Answer.Version, TimeSpan.FromMinutes(1));
        cube.Cube.Advance(TimeSpan.FromSeconds(8));
        Assert.Equal(202 - 1, cube.List(0, "", 1_000).Count);
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(NotFound, cube.Cube.Await(wait).Status);
        Dictionary<string, int> left = cube.List(1, "", 1_000);
        Assert.Equal((50 - 1) + 2 + 1, left.Count);
        foreach (string key in (string[])["key 0", "key 1", "key 3", "hostile"])
        {
            Assert.Equal(Done, cube.Get(2, key).Answer.Status);
        }

        foreach (string key in (string[])["key 2", "key 4", "key 5", "short"])
        {
            Assert.Equal(NotFound, cube.Get(2, key).Answer.Status);
        }

        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(87)]
    [InlineData(999)]
    [InlineData(1_500)]
    [InlineData(59_999)]
    public void Times_count_in_milliseconds(int millis)
    {
        using var cube = new StoreCube(3, 1, 1, Quick);
        cube.AwaitLed();
        var put = new KeyValuePut { Expires = TimeSpan.FromMilliseconds(millis) };
        KeyValueKey key = KeyValueKey.Of("key");
        long began = cube.Cube.NowNanos;
        Assert.Equal(Done, cube.Cube.Await(cube[0].PutAsync(key, "v"u8.ToArray(), put)).Status);
        KeyValueAnswer found = cube.Get(1, "key").Answer;
        if (found.Status == Done)
        {
            long took = (cube.Cube.NowNanos - began) / 1_000_000;
            Assert.InRange(found.Expires!.Value.TotalMilliseconds, Math.Max(1, millis - took - 1), millis + 1);
        }

        // As long after an append, and then it goes.
        Assert.Equal(2, cube.Change(2, "key", KeyValueChange.Append("+"u8.ToArray())).Answer.Length is 1 or 2 ? 2 : 0);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(millis + 100));
        Assert.True(millis < 10 || cube.Get(1, "key").Answer.Status == NotFound);
        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(KeyValueChangeKind.Add, 0)]
    [InlineData(KeyValueChangeKind.Add, 1)]
    [InlineData(KeyValueChangeKind.Append, 0)]
    [InlineData(KeyValueChangeKind.SetRange, 2)]
    public void A_key_that_is_changed_all_the_time_goes_all_the_same(KeyValueChangeKind kind, int rank)
    {
        using var cube = new StoreCube(3, 1, 1, Quick);
        cube.AwaitLed();
        var put = new KeyValuePut { Expires = TimeSpan.FromSeconds(1) };
        KeyValueKey key = KeyValueKey.Of("key");
        Assert.Equal(Done, cube.Cube.Await(cube[0].PutAsync(key, "1"u8.ToArray(), put)).Status);
        KeyValueChange change =
            kind == KeyValueChangeKind.Add ? KeyValueChange.Add(1)
            : kind == KeyValueChangeKind.Append ? KeyValueChange.Append(default)
            : KeyValueChange.SetRange(0, "2"u8.ToArray());

        // A crowd: each of three servers has one under way all the time, so that some wait for others in the log.
        long end = cube.Cube.NowNanos + 1_300_000_000;
        var open = new ValueTask<KeyValueAnswer>[3];
        for (int i = 0; i < open.Length; i++)
        {
            open[i] = cube[i].ChangeAsync(key, change);
        }

        TimeSpan last = TimeSpan.FromSeconds(1);
        for (int i = rank; cube.Cube.NowNanos < end; i = (i + 1) % open.Length)
        {
            cube.Cube.Await(open[i]);
            open[i] = cube[i].ChangeAsync(key, change);
            if (cube.Get(i, "key").Answer is not { Status: Done, Expires: { } left })
            {
                break;
            }

            Assert.True(left <= last + TimeSpan.FromMilliseconds(2), $"{left} are left, and before {last}");
            last = left;
        }

        Array.ForEach(open, task => cube.Cube.Await(task));

        // Whoever changed it afterwards made one without a time.
        Assert.True(cube.Cube.NowNanos < end, $"{last} are left");
        Assert.InRange(last.TotalMilliseconds, 0, 100);
        KeyValueAnswer found = cube.Get(1, "key").Answer;
        Assert.True(found.Status == NotFound || found.Expires is null, $"{found}");
        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void So_it_does_whoever_fails_meanwhile(int failing)
    {
        using var cube = new StoreCube(3, 1, 1, Quick);
        cube.AwaitLed();
        var put = new KeyValuePut { Expires = TimeSpan.FromSeconds(4) };
        KeyValueKey key = KeyValueKey.Of("key");
        Assert.Equal(Done, cube.Cube.Await(cube[0].PutAsync(key, "1"u8.ToArray(), put)).Status);
        long began = cube.Cube.NowNanos;
        int[] living = [.. Enumerable.Range(0, 3).Where(rank => rank != failing)];
        bool isKilled = false;
        TimeSpan? left = put.Expires;
        for (int i = 0; left is not null && cube.Cube.NowNanos - began < 10_000_000_000; i++)
        {
            if (!isKilled && cube.Cube.NowNanos - began > 1_000_000_000)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(failing));
                isKilled = true;
            }

            ValueTask<KeyValueAnswer> one = cube[living[i % 2]].ChangeAsync(key, KeyValueChange.Add(1)),
                other = cube[living[(i + 1) % 2]].ChangeAsync(key, KeyValueChange.Add(1));
            cube.Cube.Await(one);
            cube.Cube.Await(other);
            KeyValueAnswer found = cube.Get(living[0], "key").Answer;
            left = found.Status == Done ? found.Expires : left;
        }

        Assert.True(isKilled);
        Assert.Null(left);
        Assert.InRange((cube.Cube.NowNanos - began) / 1e9, 4, 4.5);
    }

    [Theory]
    [InlineData(3, 1, 1)]
    [InlineData(3, 3, 1)]
    public void They_go_whoever_fails_and_do_not_come_back(int x, int y, int z)
    {
        using var cube = new StoreCube(x, y, z, Quick);
        cube.AwaitLed();
        for (int i = 0; i < 60; i++)
        {
            Put(cube, $"key {i}", 6);
        }

        // Who leads some of them fails before their time, and is away when they go.
        Coordinate away = cube.Cube.Shape.At(1);
        cube.Cube.Kill(away);
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(60, cube.List(0, "", 100).Count);
        cube.Cube.Advance(TimeSpan.FromSeconds(9));
        Assert.Empty(cube.List(0, "", 100));
        cube.Cube.Revive(away);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.Empty(cube.List(1, "", 100));
        for (int i = 0; i < 60; i++)
        {
            Assert.Equal(NotFound, cube.Get(1, $"key {i}").Answer.Status);
        }
    }

    [Fact]
    public void After_the_power_failed_everywhere_their_time_begins_anew()
    {
        using var cube = new StoreCube(3, 1, 1, Quick);
        cube.AwaitLed();
        for (int i = 0; i < 30; i++)
        {
            Put(cube, $"key {i}", i % 3 == 0 ? null : 20);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(10));
        for (int rank = 0; rank < 3; rank++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        for (int rank = 0; rank < 3; rank++)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.Equal(30, cube.List(0, "", 100).Count);
        cube.Cube.Advance(TimeSpan.FromSeconds(25));
        Assert.Equal(10, cube.List(1, "", 100).Count);
    }

    // What is there then of the time.
    private static TimeSpan? Put(StoreCube cube, string key, long? seconds)
    {
        var put = new KeyValuePut { Expires = seconds is { } some ? TimeSpan.FromSeconds(some) : null };
        byte[] value = Encoding.UTF8.GetBytes("1234");
        Assert.Equal(Done, cube.Cube.Await(cube[key.Length % 3].PutAsync(KeyValueKey.Of(key), value, put)).Status);
        return cube.Get(0, key).Answer.Expires;
    }
}
