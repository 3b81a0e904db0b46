using CamCube.Testing;
using NearestCopySample;

namespace CamCube.Runtime.Tests.Extended;

/// <summary>The service of docs/extended-routing.md does what it says.</summary>
public sealed class SampleTests
{
    [Fact]
    public void Whoever_is_nearer_to_the_copy_is_served_there_and_without_it_by_the_root()
    {
        using TestCube cube = new TestCube(6, 1, 1).Add(s => new NearestCopy(s));
        Key item = default,
            copy = NearestCopy.CopyOf(item, cube.Shape);
        Assert.Equal(new Coordinate(3, 0, 0), copy.HomeIn(cube.Shape));
        AskAll(cube, item);
        Assert.Equal([6, 0], [Served(cube, 0), Served(cube, 3)]);

        cube[3].Service<NearestCopy>().Keep(copy);
        AskAll(cube, item);
        Assert.Equal([9, 3], [Served(cube, 0), Served(cube, 3)]);

        cube.Kill(cube.Shape.At(3));
        cube.AwaitConverged();
        AskAll(cube, item);
        Assert.Equal(14, Served(cube, 0));
        cube.AssertQuiet();
    }

    private static void AskAll(TestCube cube, Key item)
    {
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            if (cube[rank].IsRunning)
            {
                Assert.Equal(SendResult.Accepted, cube[rank].Service<NearestCopy>().Ask(item));
            }
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
    }

    private static long Served(TestCube cube, int rank) =>
        cube[rank].Status.Services.SelectMany(s => s.Counters).Single(c => c.Name == "served").Value;
}
