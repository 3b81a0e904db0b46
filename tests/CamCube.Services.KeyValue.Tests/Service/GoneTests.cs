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
}
