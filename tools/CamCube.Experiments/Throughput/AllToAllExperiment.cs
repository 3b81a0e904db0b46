using System.Globalization;
using CamCube.Runtime.Services;
using CamCube.Services.Workloads.AllToAll;
using CamCube.Simulator;
using CamCube.Simulator.Settings;
using CamCube.Simulator.Swarm;

namespace CamCube.Experiments.Throughput;

/// <summary>
/// HPDC Fig. 5(a): every server sends to all others at a fixed rate through the real servers and their queues, in
/// virtual time. Measures what arrives per server against what the cables could carry. Equal options give equal results
/// but for the CPU time, on any number of threads.
/// </summary>
public static class AllToAllExperiment
{
    // Fixed, so that whether somebody watches the progress changes nothing.
    private const int Slices = 1_000;

    /// <summary>Runs it.</summary>
    /// <param name="options">What to run.</param>
    /// <param name="progress">Told now and then which part of the virtual time is over, 0 to 1.</param>
    /// <param name="recorder">Looks on; changes nothing but the CPU time.</param>
    /// <exception cref="ArgumentException">Fewer than two servers.</exception>
    public static AllToAllResult Run(
        AllToAllExperimentOptions options,
        Action<double>? progress = null,
        IRunRecorder? recorder = null
    )
    {
        TorusShape shape = options.Shape;
        double bound = BoundBitsPerSecond(shape, options.LinkBitsPerSecond);
        double offered = bound * options.Load;
        var traffic = new AllToAllOptions { OfferedBitsPerSecond = offered, FrameLength = options.FrameLength };
        ServiceDefinition[] services =
        [
            ServiceDefinition.Of(activation => new AllToAllService(activation.Server, traffic)),
        ];
        var simulator = new SimulatorOptions
        {
            Seed = options.Seed,
            LinkBitsPerSecond = options.LinkBitsPerSecond,
            ColdStart = options.ColdStart,
            Threads = options.Threads,
        };
        recorder?.Prepare(shape, services, simulator);
        using var cube = new SimulatedCube(shape, services, simulator);
        long warmup = options.Warmup.Ticks * 100,
            total = warmup + (options.Duration.Ticks * 100);
        Advance(cube, 0, warmup, total, progress, recorder);

        (long bytes, long drops, long hops) = (ReceivedBytes(cube), Drops(cube), cube.PacketHops);
        TimeSpan began = Environment.CpuUsage.TotalTime;
        Advance(cube, warmup, total, total, progress, recorder);
        double cpu = (Environment.CpuUsage.TotalTime - began).TotalSeconds;

        recorder?.Ended();
        (bytes, drops, hops) = (ReceivedBytes(cube) - bytes, Drops(cube) - drops, cube.PacketHops - hops);
        return new AllToAllResult(
            [shape.X, shape.Y, shape.Z],
            options.Seed,
            shape.Count,
            options.Threads,
            offered / 1e9,
            bytes * 8 / options.Duration.TotalSeconds / shape.Count / 1e9,
            bound / 1e9,
            hops,
            cpu,
            cpu > 0 ? hops / cpu : 0,
            drops,
            cube.TraceHash.ToString("x16", CultureInfo.InvariantCulture)
        );
    }

    /// <summary>Mean hops over all ordered pairs of different servers.</summary>
    /// <exception cref="ArgumentException">There is no such pair.</exception>
    public static double MeanHops(TorusShape shape)
    {
        if (shape.Count < 2)
        {
            throw new ArgumentException("All-to-all needs at least two servers.", nameof(shape));
        }

        // Every server sees the same distances: a torus looks alike from everywhere.
        long sum = 0;
        for (int rank = 1; rank < shape.Count; rank++)
        {
            sum += shape.Distance(default, shape.At(rank));
        }

        return (double)sum / (shape.Count - 1);
    }

    /// <summary>
    /// Most bits per second that each server can send while all links are full: cabled links per server / mean hops x
    /// link rate, which is 6 / mean hops on a cube. Axes of different sizes do not fill at the same time, so there it
    /// is out of reach.
    /// </summary>
    public static double BoundBitsPerSecond(TorusShape shape, long linkBitsPerSecond) =>
        shape.CabledLinks(default).Count / MeanHops(shape) * linkBitsPerSecond;

    private static void Advance(
        SimulatedCube cube,
        long from,
        long to,
        long total,
        Action<double>? progress,
        IRunRecorder? recorder
    )
    {
        for (int slice = 1; slice <= Slices && recorder is not { IsDone: true }; slice++)
        {
            cube.AdvanceTo(from + (long)((Int128)(to - from) * slice / Slices));
            recorder?.Advanced(cube.NowNanos);
            progress?.Invoke((double)cube.NowNanos / total);
        }
    }

    private static long ReceivedBytes(SimulatedCube cube)
    {
        long sum = 0;
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            sum += cube.Service<AllToAllService>(rank).ReceivedBytes;
        }

        return sum;
    }

    private static long Drops(SimulatedCube cube)
    {
        long sum = cube.LostOnCables;
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            sum += cube.StatusOf(rank).Drops.Sum(drop => drop.Count);
        }

        return sum;
    }
}
