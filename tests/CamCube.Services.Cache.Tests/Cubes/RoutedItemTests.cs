using System.Buffers;

namespace CamCube.Services.Cache.Tests.Cubes;

/// <summary>Items that lie where another key than their name belongs (<see cref="CacheRequest.At"/>).</summary>
public sealed class RoutedItemTests
{
    [Fact]
    public void Items_lie_at_the_root_of_the_key_that_was_given_and_are_read_there_from_everywhere()
    {
        using var cube = new CacheCube(3, 3, 3);
        Coordinate root = new(2, 1, 0);
        Key at = Key.OfName("a picture").WithCoordinate(root);
        for (int i = 0; i < 27; i++)
        {
            Assert.Equal(CacheStatus.Done, Run(cube, i, CacheOperation.Set, $"thumb {i}", at, $"value {i}").Status);
        }

        Assert.Equal(27, cube[root].Store.Count);
        for (int from = 0; from < 27; from++)
        {
            for (int i = 0; i < 27; i++)
            {
                var value = new ArrayBufferWriter<byte>();
                CacheReply reply = Run(cube, from, CacheOperation.Get, $"thumb {i}", at, into: value);
                Assert.Equal(CacheStatus.Done, reply.Status);
                Assert.Equal(CacheCube.Bytes($"value {i}"), value.WrittenSpan.ToArray());
            }
        }

        Assert.Equal(CacheStatus.Done, Run(cube, 3, CacheOperation.Delete, "thumb 5", at).Status);
        Assert.Equal(CacheStatus.NotFound, Run(cube, 4, CacheOperation.Get, "thumb 5", at).Status);
        cube.AssertQuiet();
    }

    [Fact]
    public void The_server_of_the_key_needs_no_packet_for_them()
    {
        using var cube = new CacheCube(3, 3, 3);
        Key at = Key.OfName("a picture").WithCoordinate(cube.Cube.Shape.At(7));
        int packets = 0;
        cube.Cube.Lose = (_, _, packet) =>
        {
            packets += packet.Service.Value == 0x0110 ? 1 : 0;
            return false;
        };
        Run(cube, 7, CacheOperation.Set, "thumb", at, "value");
        Assert.Equal(CacheStatus.Done, Run(cube, 7, CacheOperation.Get, "thumb", at).Status);
        Assert.Equal(0, packets);
        Run(cube, 8, CacheOperation.Get, "thumb", at);
        Assert.NotEqual(0, packets);
        cube.AssertQuiet();
    }

    private static CacheReply Run(
        CacheCube cube,
        int rank,
        CacheOperation operation,
        string name,
        Key at,
        string value = "",
        IBufferWriter<byte>? into = null
    ) =>
        cube.Cube.Await(
            cube[rank]
                .ExecuteAsync(
                    new CacheRequest
                    {
                        Terms = new CacheTerms { Operation = operation },
                        Key = CacheCube.Bytes(name),
                        At = at,
                        Value = CacheCube.Bytes(value),
                        Into = into,
                    }
                )
        );
}
