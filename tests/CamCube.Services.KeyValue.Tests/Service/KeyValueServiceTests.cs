using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

public sealed class KeyValueServiceTests
{
    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 1)]
    [InlineData(3, 3, 3)]
    public void What_is_put_is_got_at_every_server(int x, int y, int z)
    {
        using var cube = new StoreCube(x, y, z);
        cube.AwaitLed();
        int servers = cube.Cube.Shape.Count;
        KeyValueAnswer first = cube.Put(0, "color", "red");
        Assert.Equal((Done, Math.Min(3, servers)), (first.Status, first.Copies));
        for (int rank = 0; rank < servers; rank++)
        {
            (KeyValueAnswer answer, string value) = cube.Get(rank, "color");
            Assert.Equal((Done, "red", first.Version, 3L), (answer.Status, value, answer.Version, answer.Length));
        }

        KeyValueAnswer second = cube.Put(servers - 1, "color", "green", KeyValueCondition.Is(first.Version));
        Assert.True(second is { Status: Done } && second.Version > first.Version);
        Assert.Equal(new(Conflict, second.Version), Without(cube.Put(0, "color", "blue", KeyValueCondition.Absent)));
        Assert.Equal(
            new(Conflict, second.Version),
            Without(cube.Put(0, "color", "blue", KeyValueCondition.Is(first.Version)))
        );
        Assert.Equal("green", cube.Get(0, "color").Value);
        Assert.Equal(Done, cube.Delete(0, "color").Status);
        Assert.Equal(NotFound, cube.Get(0, "color").Answer.Status);
        Assert.Equal(NotFound, cube.Delete(0, "color").Status);
        Assert.Equal(Conflict, cube.Put(0, "color", "blue", KeyValueCondition.Present).Status);
        cube.Cube.AssertQuiet();
    }

    private static KeyValueAnswer Without(in KeyValueAnswer answer) => answer with { Hops = 0 };
}
