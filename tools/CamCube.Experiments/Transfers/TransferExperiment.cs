using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Transfers;

/// <summary>
/// SIGCOMM Fig. 1, §3.1: one random source sends to random destinations in turn, by base routing and by link-disjoint
/// paths, in one cube of real servers in virtual time. One thread; equal options give equal results.
/// </summary>
public static class TransferExperiment
{
    private const long SliceNanos = 1_000_000;

    /// <summary>Runs it.</summary>
    /// <param name="options">What to run.</param>
    /// <param name="found">Told each pair as soon as it is there.</param>
    /// <param name="progress">Told now and then which part is done, 0 to 1. May throw to end it.</param>
    public static void Run(
        TransferExperimentOptions options,
        Action<TransferPair> found,
        Action<double>? progress = null
    )
    {
        TorusShape shape = options.Shape;
        var random = new DrawStream(options.Seed, "transfers");
        Coordinate source = shape.At(random.Next(shape.Count));
        List<(Coordinate To, bool IsAdded)> destinations = Draw(options, source, random);
        progress?.Invoke(0);
        using var cube = MakeCube(options);
        uint transfer = 0;
        for (int i = 0; i < destinations.Count; i++)
        {
            (Coordinate to, bool isAdded) = destinations[i];
            int done = i;
            void Tell() => progress?.Invoke((double)done / destinations.Count);
            (double Gbps, double Lost) By<T>()
                where T : TransferService => Transfer<T>(cube, options, source, to, ++transfer, Tell);
            (double basis, double basisLost) = By<BaseTransferService>();
            (double disjoint, double disjointLost) = By<DisjointTransferService>();
            found(
                new TransferPair(
                    to,
                    shape.Distance(source, to),
                    Differing(source, to),
                    Antipodal(shape, source, to),
                    isAdded,
                    basis,
                    disjoint,
                    basisLost,
                    disjointLost
                )
            );
        }
    }

    private static SimulatedCube MakeCube(TransferExperimentOptions options)
    {
        var queue = new QueueOptions { LimitPackets = options.QueueLimit };

        // Nothing fails, so that heartbeats would only be work.
        var server = new ServerOptions { Liveness = new LivenessOptions { DetectionTime = TimeSpan.FromSeconds(60) } };
        return new SimulatedCube(
            options.Shape,
            [
                ServiceDefinition.Of(activation => new BaseTransferService(activation.Server), queue),
                ServiceDefinition.Of(activation => new DisjointTransferService(activation.Server), queue),
            ],
            new SimulatorOptions
            {
                Seed = options.Seed,
                LinkBitsPerSecond = options.LinkBitsPerSecond,
                IsTracing = false,
            },
            server
        );
    }

    private static (double Gbps, double Lost) Transfer<T>(
        SimulatedCube cube,
        TransferExperimentOptions options,
        Coordinate from,
        Coordinate to,
        uint number,
        Action tell
    )
        where T : TransferService
    {
        T source = cube.Service<T>(cube.Shape.RankOf(from)),
            destination = cube.Service<T>(cube.Shape.RankOf(to));
        long began = cube.NowNanos;
        destination.Expect(number, options.Packets);
        source.Begin(number, to, options.FrameLength, options.LongestWayNanos);

        // No transfer is slower than a tenth of one link.
        long patience = options.Packets * options.FrameLength * 80_000_000_000L / options.LinkBitsPerSecond;
        while (destination.DoneNanos == 0)
        {
            if (cube.NowNanos - began > patience + (100 * SliceNanos))
            {
                throw new InvalidOperationException($"{from} to {to} by {typeof(T).Name} does not end.");
            }

            cube.AdvanceTo(cube.NowNanos + SliceNanos);
            tell();
        }

        source.End();
        double sent = source.Sent * ((double)(destination.DoneNanos - began) / (cube.NowNanos - began));
        double gbps = options.Packets * options.FrameLength * 8.0 / (destination.DoneNanos - began);

        // What is still on its way must not meet the next transfer.
        cube.AdvanceTo(cube.NowNanos + options.LongestWayNanos);
        return (gbps, Math.Max(0, 1 - (options.Packets / sent)));
    }

    private static List<(Coordinate To, bool IsAdded)> Draw(
        TransferExperimentOptions options,
        Coordinate source,
        DrawStream random
    )
    {
        TorusShape shape = options.Shape;
        var drawn = new List<(Coordinate, bool)>();
        var counts = new int[4];
        while (drawn.Count < options.Destinations)
        {
            Coordinate to = shape.At(random.Next(shape.Count));
            if (to != source)
            {
                drawn.Add((to, false));
                counts[Differing(source, to)]++;
            }
        }

        for (int axes = 3; axes >= 1; axes--)
        {
            while (counts[axes] < options.LeastPerAxes)
            {
                Coordinate to = shape.At(random.Next(shape.Count));
                for (int kept = random.Next(3), i = axes; i < 3; i++, kept++)
                {
                    to = to.With(kept % 3, source[kept % 3]);
                }

                if (Differing(source, to) == axes)
                {
                    drawn.Add((to, true));
                    counts[axes]++;
                }
            }
        }

        return drawn;
    }

    private static int Differing(Coordinate a, Coordinate b) =>
        (a.X != b.X ? 1 : 0) + (a.Y != b.Y ? 1 : 0) + (a.Z != b.Z ? 1 : 0);

    private static int Antipodal(TorusShape shape, Coordinate a, Coordinate b) =>
        Enumerable.Range(0, 3).Count(axis => 2 * shape.Distance(a, b, axis) == shape[axis]);
}
