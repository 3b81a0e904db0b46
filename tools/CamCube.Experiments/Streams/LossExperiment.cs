using CamCube.Faults;
using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>One stream over one path on whose links packets are lost, acknowledgements too.</summary>
internal static class LossExperiment
{
    /// <summary>Parts of the packets that are lost on each link.</summary>
    public static IReadOnlyList<double> Losses { get; } = [0, 0.01, 0.05, 0.1, 0.2];

    /// <summary>Bytes that the reader lets the writer send at once.</summary>
    public static IReadOnlyList<int> Windows { get; } = [64 << 10, 256 << 10, 1 << 20];

    /// <summary>Links between the two.</summary>
    public static IReadOnlyList<int> Hops { get; } = [1, 6];

    /// <summary>All points.</summary>
    /// <param name="seed">Of the losses.</param>
    /// <param name="time">What counts of each.</param>
    /// <param name="tick">Called while time passes, with the part that is done.</param>
    public static List<LossPoint> Run(ulong seed, TimeSpan time, Action<double>? tick = null)
    {
        var points = new List<LossPoint>();
        int all = Hops.Count * Windows.Count * Losses.Count;
        foreach (int hops in Hops)
        {
            foreach (double loss in Losses)
            {
                foreach (int window in Windows)
                {
                    points.Add(
                        new LossPoint(
                            hops,
                            loss,
                            window,
                            Share(hops, loss, window, seed, time, () => tick?.Invoke((double)points.Count / all))
                        )
                    );
                }
            }
        }

        return points;
    }

    private static double Share(int hops, double loss, int window, ulong seed, TimeSpan time, Action tick)
    {
        var options = new StreamOptions { FirstCredit = window, MostCredit = window };
        using var cube = new StreamCube(new TorusShape(5, 5, 5), seed, options, tick: tick);
        Coordinate from = default,
            to = StreamCube.AtHops(hops);
        if (loss > 0)
        {
            cube.Cube.LinkFaults.Add(new PacketLoss(loss), cube.OfStreams);
        }

        cube[from].Write(to, new StreamParameters { Paths = StreamPaths.One });

        // Where few round trips get through, a greeting takes a while.
        cube.AwaitUntil(() => cube[to].ReadingOf(0) is { Bytes: > 0 }, TimeSpan.FromSeconds(10));
        return cube.Measure(to, 1, TimeSpan.FromMilliseconds(100), time)[0];
    }
}
