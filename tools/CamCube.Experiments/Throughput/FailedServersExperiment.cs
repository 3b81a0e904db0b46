using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Services.Workloads.AllToAll;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Throughput;

/// <summary>
/// HPDC Fig. 5(b), §4.2.4: all-to-all on a cube of which some servers have failed. They stop first; when everybody
/// knows, the others begin to send, at the rate that a whole cube carries. One thread; equal options give equal
/// results.
/// </summary>
public static class FailedServersExperiment
{
    private const long LinkBitsPerSecond = 1_000_000_000;
    private const int Slices = 40;

    /// <summary>Runs it.</summary>
    /// <param name="options">What to run.</param>
    /// <param name="progress">Told now and then which part of the traffic is over, 0 to 1.</param>
    /// <returns>Gbit/s of frames that ended at each live server, in rank order.</returns>
    public static double[] Run(FailedServersOptions options, Action<double>? progress = null)
    {
        // By then the failures have been noticed and flooded: 1.125 detection times and a few microseconds per hop.
        TimeSpan begin = 2 * options.DetectionTime;
        var traffic = new AllToAllOptions
        {
            OfferedBitsPerSecond =
                options.OfferedBitsPerSecond ?? AllToAllExperiment.BoundBitsPerSecond(options.Shape, LinkBitsPerSecond),
            Start = begin,
            SkipUnreachable = options.SkipUnreachable,
        };
        using var cube = new SimulatedCube(
            options.Shape,
            [ServiceDefinition.Of(activation => new AllToAllService(activation.Server, traffic))],
            new SimulatorOptions { Seed = options.Seed, LinkBitsPerSecond = LinkBitsPerSecond },
            new ServerOptions { Liveness = new LivenessOptions { DetectionTime = options.DetectionTime } }
        );
        foreach (int rank in options.Failed)
        {
            cube.Kill(rank);
        }

        int[] live = [.. Enumerable.Range(0, options.Shape.Count).Where(cube.IsRunning)];
        cube.Advance(begin);
        progress?.Invoke(0);
        TimeSpan total = options.Warmup + options.Duration;
        Advance(cube, options.Warmup, part => progress?.Invoke(part * (options.Warmup / total)));
        long[] before = [.. live.Select(Received)];
        Advance(cube, options.Duration, part => progress?.Invoke(1 - ((1 - part) * (options.Duration / total))));
        return [.. live.Select((rank, i) => (Received(rank) - before[i]) * 8 / options.Duration.TotalSeconds / 1e9)];

        long Received(int rank) => cube.Service<AllToAllService>(rank).ReceivedBytes;
    }

    private static void Advance(SimulatedCube cube, TimeSpan time, Action<double> progress)
    {
        long from = cube.NowNanos,
            length = time.Ticks * 100;
        for (int slice = 1; slice <= Slices; slice++)
        {
            cube.AdvanceTo(from + (length * slice / Slices));
            progress((double)slice / Slices);
        }
    }
}
