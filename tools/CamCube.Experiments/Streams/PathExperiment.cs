using CamCube.Messaging;
using CamCube.Topology;

namespace CamCube.Experiments.Streams;

/// <summary>One stream between two servers of a cube 5x5x5 in which nothing else happens.</summary>
internal static class PathExperiment
{
    private static readonly TorusShape Shape = new(5, 5, 5);

    /// <summary>Some pairs, drawn at random.</summary>
    public static List<(Coordinate From, Coordinate To)> Draw(int pairs, ulong seed)
    {
        var random = new DrawStream(seed, "stream paths");
        var drawn = new List<(Coordinate, Coordinate)>();
        while (drawn.Count < pairs)
        {
            int[] two = random.Choose(2, Shape.Count);
            drawn.Add((Shape.At(two[0]), Shape.At(two[1])));
        }

        return drawn;
    }

    /// <summary>How many link-disjoint paths there are between two servers.</summary>
    public static int PathsBetween(Coordinate from, Coordinate to) =>
        DisjointPaths.For(Shape).SourceLinks(from, to).Count;

    /// <summary>How many links one stream fills.</summary>
    /// <param name="from">The writer.</param>
    /// <param name="to">The reader.</param>
    /// <param name="paths">By which paths.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="time">What counts, after 100 ms.</param>
    /// <param name="tick">Called while time passes.</param>
    public static double Run(
        Coordinate from,
        Coordinate to,
        StreamPaths paths,
        ulong seed,
        TimeSpan time,
        Action? tick = null
    )
    {
        using var cube = new StreamCube(Shape, seed, tick: tick);
        cube[from].Write(to, new StreamParameters { Paths = paths });
        return cube.Measure(to, 1, TimeSpan.FromMilliseconds(100), time)[0];
    }
}
