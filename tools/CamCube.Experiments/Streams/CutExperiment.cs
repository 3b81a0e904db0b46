using CamCube.Messaging;
using CamCube.Topology;

namespace CamCube.Experiments.Streams;

/// <summary>A cable is cut in the middle of a stream: the second one of its first path.</summary>
internal static class CutExperiment
{
    /// <summary>How long each point of the goodput lasts, and when the first one is.</summary>
    private const int PointMilliseconds = 5,
        FirstPoint = -50;

    private static readonly TorusShape Shape = new(5, 5, 5);

    /// <summary>A stream from 0,0,0.</summary>
    /// <param name="to">The reader, at least two hops away.</param>
    /// <param name="paths">By which paths.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    public static CutResult Run(
        Coordinate to,
        StreamPaths paths,
        ulong seed,
        TimeSpan detectionTime,
        Action? tick = null
    )
    {
        using var cube = new StreamCube(Shape, seed, detectionTime: detectionTime, tick: tick);
        BulkWriting writing = cube[default].Write(to, new StreamParameters { Paths = paths });
        cube.Advance(TimeSpan.FromMilliseconds(100 + FirstPoint));
        BulkReading reading = cube[to].ReadingOf(0)!;
        List<(double, double)> goodput = [];
        Follow(cube, reading, FirstPoint, 0, goodput);
        long roundTrip = RoundTripOf(writing);
        Coordinate[] path = DisjointPaths.For(Shape).Paths(default, to)[0];
        Link link = Enum.GetValues<Link>().First(l => l != Link.Local && Shape.Step(path[1], l) == path[2]);
        int rank = Shape.RankOf(path[1]);
        long cut = cube.Cube.NowNanos,
            noticed = 0;
        cube.Cube.Cut(rank, link);
        reading.Watch(cut);
        Follow(
            cube,
            reading,
            0,
            (int)(2 * detectionTime.TotalMilliseconds),
            goodput,
            () =>
                noticed =
                    noticed == 0 && !cube.Cube.TopologyOf(rank).LinksUp.Contains(link)
                        ? cube.Cube.NowNanos - cut
                        : noticed
        );
        long stall = reading.StallNanos;
        writing.Stop();
        cube.AwaitUntil(() => writing.End.HasEnded, TimeSpan.FromSeconds(5));
        return new CutResult(goodput, noticed, stall, roundTrip, writing.Written - reading.Bytes, reading.Wrong);
    }

    private static void Follow(
        StreamCube cube,
        BulkReading reading,
        int from,
        int until,
        List<(double, double)> goodput,
        Action? look = null
    )
    {
        for (int at = from; at < until; at += PointMilliseconds)
        {
            long before = reading.Bytes;
            for (int i = 0; i < 100; i++)
            {
                cube.Advance(TimeSpan.FromMilliseconds(PointMilliseconds) / 100);
                look?.Invoke();
            }

            goodput.Add((at, StreamCube.LinksOf(reading.Bytes - before, PointMilliseconds * 1_000_000L)));
        }
    }

    private static long RoundTripOf(BulkWriting writing)
    {
        var reports = new StreamPathReport[7];
        int count = writing.Stream!.CopyPaths(reports);
        return (long)reports[..count].Max(report => report.RoundTrip.TotalNanoseconds);
    }
}
