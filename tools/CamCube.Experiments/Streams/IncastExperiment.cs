using CamCube.Messaging;
using CamCube.Runtime.Services;
using CamCube.Simulator;

namespace CamCube.Experiments.Streams;

/// <summary>All servers of a cube 3x3x3 send to 0,0,0, which has six links.</summary>
internal static class IncastExperiment
{
    private const int MessageLength = 1 << 20;
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <summary>A stream from each, by all paths.</summary>
    /// <param name="seed">Of the cube.</param>
    /// <param name="time">What counts, after 100 ms.</param>
    /// <param name="tick">Called while time passes.</param>
    public static IncastResult RunStreams(ulong seed, TimeSpan time, Action? tick = null)
    {
        using var cube = new StreamCube(Shape, seed, tick: tick);
        for (int rank = 1; rank < Shape.Count; rank++)
        {
            cube[Shape.At(rank)].Write(default(Coordinate), new StreamParameters { Label = (ulong)rank - 1 });
        }

        double[] shares = cube.Measure(default, Shape.Count - 1, TimeSpan.FromMilliseconds(100), time);
        return new IncastResult(shares, cube.Drops, 0);
    }

    /// <summary>A message of 1 MiB from each, several times one after the other.</summary>
    /// <param name="rounds">How often; each begins when all of the one before have arrived.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="tick">Called while time passes.</param>
    /// <exception cref="InvalidOperationException">A message is lost, or wrong.</exception>
    public static IncastResult RunMessages(int rounds, ulong seed, Action? tick = null)
    {
        using SimulatedCube cube = StreamCube.Make(
            Shape,
            seed,
            ServiceDefinition.Of(activation => new BulkMessages(activation.Server))
        );
        BulkMessages reader = cube.Service<BulkMessages>(0);
        int senders = Shape.Count - 1;
        for (int round = 1; round <= rounds; round++)
        {
            tick?.Invoke();
            for (int rank = 1; rank < Shape.Count; rank++)
            {
                cube.Service<BulkMessages>(rank).Send(MessageLength, default);
            }

            // More than a message is kept.
            for (long end = cube.NowNanos + 4_000_000_000; reader.Count < senders * round; )
            {
                cube.Advance(TimeSpan.FromMicroseconds(10));
                if (cube.NowNanos > end || reader.Wrong > 0)
                {
                    throw new InvalidOperationException($"{reader.Count} messages came, {reader.Wrong} wrong.");
                }
            }
        }

        double links = StreamCube.LinksOf((long)senders * rounds * MessageLength, cube.NowNanos, reader.PieceLength);
        return new IncastResult(
            [.. Enumerable.Repeat(links / senders, senders)],
            StreamCube.DropsOf(cube),
            Counted(cube, "messages_expired") + Counted(cube, "messages_repaired")
        );
    }

    private static long Counted(SimulatedCube cube, string name) =>
        Enumerable
            .Range(0, Shape.Count)
            .SelectMany(rank => cube.StatusOf(rank).Services)
            .SelectMany(service => service.Counters)
            .Where(counter => counter.Name.EndsWith(name, StringComparison.Ordinal))
            .Sum(counter => counter.Value);
}
