using System.Buffers;
using System.Text;
using CamCube.Services.KeyValue.Operations;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Requests whose server dies while they are on their way.</summary>
public sealed class GoneTests
{
    [Fact]
    public void Others_are_asked_as_soon_as_it_is_known_that_a_server_is_gone()
    {
        var options = new KeyValueOptions { Silence = TimeSpan.FromSeconds(2), Timeout = TimeSpan.FromSeconds(10) };
        using var cube = new StoreCube(3, 3, 1, options);
        cube.AwaitLed();
        Coordinate gone = cube.Cube.Shape.At(4);
        string[] keys =
        [
            .. Enumerable
                .Range(0, 400)
                .Select(static i => $"key {i}")
                .Where(key => cube.Cube[0].Topology.RootOf(KeyRoute.Of(0, Encoding.UTF8.GetBytes(key))) == gone)
                .Take(12),
        ];
        Assert.Equal(12, keys.Length);
        Assert.All(keys, key => Assert.Equal(Done, cube.Put(0, key, key).Status));

        // The others show it, too.
        cube.Cube.Advance(2 * options.Silence);
        cube.Cube.Kill(gone);
        long killed = cube.Cube.NowNanos;
        ValueTask<KeyValueAnswer>[] reads =
        [
            .. keys.Select((key, i) => cube[i % 4].GetAsync(KeyValueKey.Of(key), KeyValueReads.Any)),
        ];
        Assert.All(reads, read => Assert.Equal(Done, cube.Cube.Await(read).Status));
        Assert.InRange(cube.Cube.NowNanos - killed, 0, 1_000_000_000);

        // What is changed meanwhile is done once somebody else leads, and done once.
        ValueTask<KeyValueAnswer>[] puts =
        [
            .. keys.Select(
                (key, i) => cube[i % 4].PutAsync(KeyValueKey.Of(key), Encoding.UTF8.GetBytes("again"), default)
            ),
        ];
        Assert.All(puts, put => Assert.Equal(Done, cube.Cube.Await(put).Status));
        var value = new ArrayBufferWriter<byte>();
        Assert.Equal(Done, cube.Cube.Await(cube[1].GetAsync(KeyValueKey.Of(keys[0]), value: value)).Status);
        Assert.Equal("again", Encoding.UTF8.GetString(value.WrittenSpan));
        cube.Cube.AssertQuiet();
    }

    // With three of nine gone some keys have nobody left, and who is asked for them has no part in them; a long value
    // is not sent to servers that can do nothing with it.
    [Theory]
    [InlineData(2, 5)]
    [InlineData(3, 5)]
    [InlineData(3, 300_000)]
    public void Who_asks_for_keys_of_which_too_few_servers_are_left_is_told_so_at_once_and_nothing_is_done(
        int gone,
        int length
    )
    {
        var options = new KeyValueOptions();
        using var cube = new StoreCube(3, 3, 1, options);
        cube.AwaitLed();
        string[] all = [.. Enumerable.Range(0, 200).Select(static i => $"key {i}")];
        Assert.All(all, key => Assert.Equal(Done, cube.Put(0, key, "before").Status));
        Coordinate[] lost = [.. new[] { 4, 5, 7 }[..gone].Select(cube.Cube.Shape.At)];
        int[] askers = [.. Enumerable.Range(0, 9).Where(rank => !lost.Contains(cube.Cube.Shape.At(rank)))];
        Assert.All(lost, cube.Cube.Kill);

        // Whoever is asked for a key of which nobody is left notes it with the first question.
        string after = new('a', length);
        cube.Cube.Advance(options.SlowAfter);
        ValueTask<KeyValueAnswer>[] reads =
        [
            .. all.Select((key, i) => cube[askers[i % askers.Length]].GetAsync(KeyValueKey.Of(key))),
        ];
        Assert.All(reads, read => Assert.Contains(cube.Cube.Await(read).Status, new[] { Done, Unavailable }));
        cube.Cube.Advance(options.SlowAfter);

        // A crowd at all servers that are left: whoever is asked for a key that is gone waits for nobody.
        long began = cube.Cube.NowNanos;
        KeyValueStatus[] came = PutAll(cube, all, askers, after);
        Assert.InRange(cube.Cube.NowNanos - began, 0, (long)options.SlowAfter.TotalNanoseconds);
        AssertDoneOrNot(cube, lost, all, came, length);
    }

    [Fact]
    public void Who_waits_for_keys_of_which_too_few_servers_are_left_takes_no_room_from_others()
    {
        var options = new KeyValueOptions { Requests = 64 };
        using var cube = new StoreCube(3, 3, 1, options);
        cube.AwaitLed();
        int[] askers = [0, 1, 2, 3, 6, 7, 8];
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.Kill(cube.Cube.Shape.At(5));

        // More at each server than may be open there, before anybody knows.
        ValueTask<KeyValueAnswer>[] crowd =
        [
            .. Enumerable
                .Range(0, 60 * askers.Length)
                .Select(i =>
                    cube[askers[i % askers.Length]].PutAsync(KeyValueKey.Of($"key {i}"), "a"u8.ToArray(), default)
                ),
        ];
        cube.Cube.Advance(options.Silence + (options.SlowAfter * 2));
        Assert.All(askers, rank => Assert.Equal(0, cube.Store(rank).Leader.Open));
        KeyValueStatus[] came = PutAll(
            cube,
            [.. Enumerable.Range(0, 50).Select(static i => $"other {i}")],
            askers,
            "b"
        );
        Assert.InRange(came.Count(static status => status == Done), 25, 45);
        Assert.All(crowd, put => Assert.Contains(cube.Cube.Await(put).Status, new[] { Done, Unavailable, Unknown }));
        cube.Cube.AssertQuiet();
    }

    // Nobody knows yet for how long they are gone. A leader that took changes into its log all the same could not say
    // of one of them that it is not done.
    [Theory]
    [InlineData(5)]
    [InlineData(300_000)]
    public void What_is_asked_of_a_leader_without_a_majority_is_refused_for_certain(int length)
    {
        var options = new KeyValueOptions();
        using var cube = new StoreCube(3, 3, 1, options);
        cube.AwaitLed();
        string[] all = [.. Enumerable.Range(0, 200).Select(static i => $"key {i}")];
        Assert.All(all, key => Assert.Equal(Done, cube.Put(0, key, "before").Status));
        Coordinate[] lost = [cube.Cube.Shape.At(4), cube.Cube.Shape.At(5)];
        int[] askers = [0, 1, 2, 3, 6, 7, 8];
        Assert.All(lost, cube.Cube.Kill);
        cube.Cube.Advance(options.Silence * 1.5);
        long began = cube.Cube.NowNanos;
        KeyValueStatus[] came = PutAll(cube, all, askers, new string('a', length));
        Assert.InRange(cube.Cube.NowNanos - began, 0, 2 * (long)options.SlowAfter.TotalNanoseconds);
        AssertDoneOrNot(cube, lost, all, came, length);
    }

    // What was refused was not done, as is seen when all are back, and what was answered was.
    private static void AssertDoneOrNot(
        StoreCube cube,
        Coordinate[] lost,
        string[] all,
        KeyValueStatus[] came,
        int length
    )
    {
        Assert.All(came, status => Assert.True(status is Done or Unavailable, $"{status}"));
        Assert.InRange(came.Count(static status => status == Unavailable), 10, 130);
        Assert.All(lost, cube.Cube.Revive);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        for (int i = 0; i < all.Length; i++)
        {
            Assert.Equal((all[i], came[i] == Done ? length : 6), (all[i], cube.Get(i % 9, all[i]).Value.Length));
        }

        cube.Cube.AssertQuiet();
    }

    private static KeyValueStatus[] PutAll(StoreCube cube, string[] keys, int[] askers, string value)
    {
        ValueTask<KeyValueAnswer>[] puts =
        [
            .. keys.Select(
                (key, i) =>
                    cube[askers[i % askers.Length]]
                        .PutAsync(KeyValueKey.Of(key), Encoding.UTF8.GetBytes(value), default)
            ),
        ];
        return [.. puts.Select(put => cube.Cube.Await(put).Status)];
    }
}
