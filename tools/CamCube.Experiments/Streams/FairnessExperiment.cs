using CamCube.Messaging;
using CamCube.Topology;

namespace CamCube.Experiments.Streams;

/// <summary>Streams with a connection each over one link: that from 0,0,1 to 0,0,0 in a cube 5x5x5.</summary>
internal static class FairnessExperiment
{
    private static readonly TorusShape Shape = new(5, 5, 5);
    private static readonly Coordinate Reader = default,
        Relay = new(0, 0, 1);

    /// <summary>What waits counts after this time.</summary>
    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(200);

    /// <summary>Most full frames that may wait: three times what is marked, or two per connection.</summary>
    public static int MostWaitingAsked(int streams) => Math.Max(3 * new StreamOptions().MarkPackets, 2 * streams);

    /// <summary>So many streams.</summary>
    /// <param name="crowd">Where they come from.</param>
    /// <param name="streams">How many.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="time">What counts, after 200 ms.</param>
    /// <param name="tick">Called while time passes.</param>
    public static FairnessResult Run(Crowd crowd, int streams, ulong seed, TimeSpan time, Action? tick = null)
    {
        using var cube = new StreamCube(Shape, seed, new StreamOptions { PerPeer = 256 }, tick: tick);
        Coordinate[] passing = Passing(cube);
        return Run(
            cube,
            [
                .. Enumerable
                    .Range(0, streams)
                    .Select(i =>
                        crowd switch
                        {
                            Crowd.OfOne => Relay,
                            Crowd.Both when i % 2 == 0 => Relay,
                            Crowd.Both => passing[i / 2 % passing.Length],
                            _ => passing[i % passing.Length],
                        }
                    ),
            ],
            time
        );
    }

    /// <summary>The relay's own stream, the first, and three that come to it by three links.</summary>
    /// <param name="seed">Of the cube.</param>
    /// <param name="time">What counts, after 200 ms.</param>
    /// <param name="tick">Called while time passes.</param>
    public static FairnessResult RunRelay(ulong seed, TimeSpan time, Action? tick = null)
    {
        using var cube = new StreamCube(Shape, seed, tick: tick);
        return Run(cube, [Relay, new(2, 0, 1), new(0, 2, 1), new(0, 0, 2)], time);
    }

    private static FairnessResult Run(StreamCube cube, Coordinate[] writers, TimeSpan time)
    {
        for (int i = 0; i < writers.Length; i++)
        {
            cube[writers[i]]
                .Write(
                    Reader,
                    new StreamParameters
                    {
                        Label = (ulong)i,
                        Channel = (ushort)i,
                        Paths = StreamPaths.One,
                    }
                );
        }

        BulkService relay = cube[Relay];
        relay.Watch(Link.ZMinus);
        cube.Advance(First);
        double first = StreamCube.FramesOf(relay.MostWaitingBytes);
        relay.Watch(Link.ZMinus);
        double[] shares = cube.Measure(Reader, writers.Length, TimeSpan.Zero, time);
        return new FairnessResult(shares, cube.Drops)
        {
            MostWaiting = StreamCube.FramesOf(relay.MostWaitingBytes),
            MostPacketsWaiting = relay.MostWaiting,
            MostWaitingFirst = first,
        };
    }

    // Servers whose only path to the reader is by the link, nearest first.
    private static Coordinate[] Passing(StreamCube cube) =>
        [
            .. Enumerable
                .Range(0, Shape.Count)
                .Select(Shape.At)
                .Where(from => from != Relay && from != Reader && BeforeLast(cube, from) == Relay)
                .OrderBy(from => Shape.Distance(from, Reader)),
        ];

    private static Coordinate BeforeLast(StreamCube cube, Coordinate from)
    {
        DisjointPaths paths = DisjointPaths.For(Shape);
        LinkSet shortest = paths.SourceLinks(from, Reader) & cube.Cube.TopologyOf(Shape.RankOf(from)).NextHops(Reader);
        Link link = shortest.First;
        Coordinate at = from;
        while (Shape.Step(at, link) is var next && next != Reader)
        {
            at = next;
            link = paths.NextHop(at, Reader, link.Opposite()).First;
        }

        return at;
    }
}
