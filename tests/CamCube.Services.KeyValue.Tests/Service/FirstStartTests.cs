using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>The first start of a cube of which some servers do not exist, or come later.</summary>
public sealed class FirstStartTests
{
    [Theory]
    [InlineData(5, 1, 1, new[] { 3 })]
    [InlineData(3, 3, 1, new[] { 0, 4 })]
    [InlineData(3, 3, 1, new[] { 0, 1, 2, 5, 7, 8 })]
    public void Without_some_servers_there_are_all_copies_and_who_comes_later_gets_its_part(
        int x,
        int y,
        int z,
        int[] missing
    )
    {
        using StoreCube cube = Begin(x, y, z, missing);
        int first = Enumerable.Range(0, x * y * z).First(rank => !missing.Contains(rank));
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Contains("first start", cube.Store(first).Founding.Waiting, StringComparison.Ordinal);
        Assert.Equal(Unavailable, cube.Put(first, "a", "b").Status);
        Assert.Null(cube.Store(first).Founding.Begin([.. missing.Select(cube.Cube.Shape.At)]));
        cube.AwaitLed();
        Assert.Null(cube.Store(first).Founding.Waiting);
        for (int i = 0; i < 50; i++)
        {
            KeyValueAnswer put = cube.Put(first, $"key {i}", $"value {i}");
            Assert.Equal((Done, 3), (put.Status, put.Copies));
        }

        // After the power failed everywhere it is the same store.
        int[] there = [.. Enumerable.Range(0, x * y * z).Except(missing)];
        foreach (int rank in there)
        {
            cube.Cube.Cube.Kill(rank);
        }

        foreach (int rank in there)
        {
            cube.Cube.Cube.Revive(rank);
        }

        cube.Cube.AwaitConverged();
        cube.AwaitLed();
        foreach (int rank in missing)
        {
            cube.Cube.Cube.Revive(rank);
        }

        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.All(
            Enumerable.Range(0, x * y * z),
            rank => Assert.Equal(144, cube.Store(rank).Host.Members.Count(m => m.Planned.Contains(m.State.Self.Server)))
        );
        for (int i = 0; i < 50; i++)
        {
            Assert.Equal($"value {i}", cube.Get(missing[0], $"key {i}").Value);
        }

        Assert.Contains("long ago", cube.Store(first).Founding.Begin([]), StringComparison.Ordinal);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Who_is_there_cannot_be_left_out_and_only_one_server_decides()
    {
        using StoreCube cube = Begin(3, 2, 1, [4]);
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Coordinate At(int rank) => cube.Cube.Shape.At(rank);
        Assert.Contains("is there", cube.Store(0).Founding.Begin([At(3)]), StringComparison.Ordinal);
        Assert.Contains("itself is there", cube.Store(0).Founding.Begin([At(0)]), StringComparison.Ordinal);
        Assert.Contains("ask it", cube.Store(1).Founding.Begin([At(4)]), StringComparison.Ordinal);
        Assert.Contains(
            "2 servers are left",
            cube.Store(0).Founding.Begin([At(4), At(3), At(2), At(1)]),
            StringComparison.Ordinal
        );
        Assert.EndsWith($"for which {At(4)} must be there", cube.Store(0).Founding.Waiting, StringComparison.Ordinal);

        // One who is away, and comes back with its disk, is not among them: it has nothing that it could forget.
        cube.Cube.Cube.Kill(2);
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Null(cube.Store(0).Founding.Begin([At(4), At(2)]));
        cube.AwaitLed();
        Assert.Equal(Done, cube.Put(0, "a", "b").Status);
        cube.Cube.Cube.Revive(2);
        cube.Cube.Cube.Revive(4);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.Equal("b", cube.Get(2, "a").Value);
    }

    [Theory]
    [InlineData(1, 3)]
    [InlineData(1, 0)]
    [InlineData(700, 3)]
    [InlineData(2_000, 3)]
    [InlineData(40_000, 0)]
    [InlineData(101_000, 3)]
    [InlineData(101_000, 0)]
    public void Who_decides_may_fail_in_the_middle_and_is_told_again(int micros, int missing)
    {
        using StoreCube cube = Begin(5, 1, 1, [missing]);
        int decides = missing == 0 ? 1 : 0;
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Null(cube.Store(decides).Founding.Begin([cube.Cube.Shape.At(missing)]));
        cube.Cube.Advance(TimeSpan.FromMicroseconds(micros));
        cube.Cube.Cube.Kill(decides);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        cube.Cube.Cube.Revive(decides);
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        string? again = cube.Store(decides).Founding.Begin([cube.Cube.Shape.At(missing)]);
        Assert.True(again is null || again.Contains("long ago", StringComparison.Ordinal), again);
        cube.AwaitLed();
        Assert.Equal(Done, cube.Put(2, "a", "b").Status);
    }

    private static StoreCube Begin(int x, int y, int z, int[] missing)
    {
        var cube = new StoreCube(x, y, z);
        foreach (int rank in missing)
        {
            cube.Cube.Cube.Kill(rank);
        }

        return cube;
    }
}
