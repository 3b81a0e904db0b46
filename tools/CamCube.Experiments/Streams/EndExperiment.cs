using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>All servers of a cube 3x3x3 have a stream with one of them, and something befalls that one.</summary>
internal static class EndExperiment
{
    private static readonly TorusShape Shape = new(3, 3, 3);
    private static readonly Coordinate Peer = new(1, 1, 1);
    private static readonly TimeSpan Most = TimeSpan.FromSeconds(12);

    /// <summary>How long it may take until the last one is told.</summary>
    public static TimeSpan Asked(PeerFate fate, TimeSpan detectionTime) =>
        fate == PeerFate.IdleWriterRestarted ? TimeSpan.FromSeconds(2.5) : 1.5 * detectionTime;

    /// <summary>How the streams end.</summary>
    /// <param name="fate">What befalls the one.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    public static EndResult Run(PeerFate fate, ulong seed, TimeSpan detectionTime, Action? tick = null)
    {
        using var cube = new StreamCube(Shape, seed, detectionTime: detectionTime, tick: tick);
        return fate switch
        {
            PeerFate.KeyMoved => MoveKey(cube),
            PeerFate.IdleWriterRestarted => RestartWriter(cube),
            _ => EndReader(cube, fate, detectionTime),
        };
    }

    private static EndResult EndReader(StreamCube cube, PeerFate fate, TimeSpan detectionTime)
    {
        List<BulkWriting> writings = WriteTo(cube, Peer, Others());
        int rank = Shape.RankOf(Peer);
        long began = cube.Cube.NowNanos;
        if (fate == PeerFate.ServiceRestarted)
        {
            cube.RestartService(Peer);
        }
        else
        {
            cube.Cube.Kill(rank);
        }

        if (fate == PeerFate.Restarted)
        {
            cube.Advance(detectionTime / 2);
            cube.Cube.Revive(rank);
        }

        cube.AwaitUntil(() => writings.TrueForAll(writing => writing.End.HasEnded), Most);
        return ResultOf(cube, writings, began);
    }

    private static EndResult MoveKey(StreamCube cube)
    {
        Key key = Key.OfName("streams").WithCoordinate(Peer);
        int rank = Shape.RankOf(Peer);
        cube.Cube.Kill(rank);
        cube.Advance(TimeSpan.FromSeconds(1));
        Coordinate second = cube.Cube.TopologyOf(0).RootOf(key);
        List<BulkWriting> writings = WriteTo(cube, key, Others().Where(other => other != second));
        cube.Cube.Revive(rank);
        cube.AwaitUntil(() => cube.Cube.TopologyOf(rank).IsRoot(key), Most);
        long began = cube.Cube.NowNanos;
        cube.AwaitUntil(() => writings.TrueForAll(writing => writing.End.HasEnded), Most);
        return ResultOf(cube, writings, began);
    }

    private static EndResult RestartWriter(StreamCube cube)
    {
        Coordinate[] readers = [.. Others()];
        for (int i = 0; i < readers.Length; i++)
        {
            cube[Peer].Write(readers[i], new StreamParameters { Label = (ulong)i }, length: 0);
        }

        cube.Advance(TimeSpan.FromMilliseconds(50));
        long began = cube.Cube.NowNanos;
        cube.RestartService(Peer);
        BulkReading[] readings = [.. readers.Select((reader, i) => cube[reader].ReadingOf((ulong)i)!)];
        cube.AwaitUntil(() => readings.All(reading => reading.End.HasEnded), Most);
        return new EndResult(
            [.. readings.Select(reading => reading.End.Reason).Distinct()],
            readings.Max(reading => reading.EndNanos) - began,
            0
        );
    }

    private static IEnumerable<Coordinate> Others() =>
        Enumerable.Range(0, Shape.Count).Select(Shape.At).Where(server => server != Peer);

    private static List<BulkWriting> WriteTo(StreamCube cube, Destination to, IEnumerable<Coordinate> writers)
    {
        List<BulkWriting> writings = [];
        foreach (Coordinate writer in writers)
        {
            writings.Add(cube[writer].Write(to, new StreamParameters { Label = (ulong)writings.Count }));
        }

        cube.Advance(TimeSpan.FromMilliseconds(50));
        return writings;
    }

    private static EndResult ResultOf(StreamCube cube, List<BulkWriting> writings, long began)
    {
        // What is still under way must reach no second run either.
        cube.Advance(TimeSpan.FromMilliseconds(50));
        return new EndResult(
            [.. writings.Select(writing => writing.End.Reason).Distinct()],
            Math.Max(0, writings.Max(writing => writing.EndNanos) - began),
            cube.Cube.IsRunning(Shape.RankOf(Peer)) ? cube[Peer].Read.Count : 0
        );
    }
}
