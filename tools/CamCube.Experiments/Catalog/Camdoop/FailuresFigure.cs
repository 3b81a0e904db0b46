using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>
/// NSDI'12 Fig. 9: a server without map tasks is lost when a part x of the shuffle is over, S = 1, one reduce: its
/// root, a neighbour of that, another. Links are slower than elsewhere, so that the shuffle takes twenty times as long
/// as it takes to notice.
/// </summary>
public sealed class FailuresFigure : IFigure
{
    private const double DetectionSeconds = 0.2;
    private const double LeastDetections = 20;
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <inheritdoc/>
    public string Name => "camdoop-fig9";

    /// <inheritdoc/>
    public string Title => "A server is lost while a shuffle runs";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 Fig. 9, section 5.4";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        int bytes = run.ByScale(50_000, 5_000_000, 10_486_000);

        // With one reduce and S = 1 all but one file goes over six links.
        double seconds = LeastDetections * DetectionSeconds * 1.05;
        long rate = (long)(bytes * 8.0 * (Shape.Count - 2) / Links.Cables / seconds);
        var size = new ShuffleSize(Shape, bytes)
        {
            Padding = CamdoopFigures.LongPadding,
            Terms = new ShuffleTerms { LinkBitsPerSecond = rate },
        };
        SharedKeys keys = size.KeysOf(run, 1);
        run.Table.SetColumns("killed", "reduce_rate", "part_over", "seconds", "undisturbed_seconds", "ratio");
        Plot plot = run.Add(
            new Plot(
                $"{Shape}, R = 1, S = 1",
                new PlotAxis("lost at, of the undisturbed time") { Least = 0, Most = 1 },
                new PlotAxis("time, of the undisturbed") { Least = 0.8 }
            )
        );
        double[] parts = run.ByScale<double[]>([0.5], [0.25, 0.75], [0.25, 0.5, 0.75]);
        int root = Shape.RankOf(new Coordinate(1, 1, 1)),
            neighbour = Shape.RankOf(new Coordinate(2, 1, 1)),
            other = Shape.RankOf(new Coordinate(0, 0, 0));
        long slow = (long)(CamdoopFigures.SlowRoot * rate);
        (string Name, int Killed, long Rate, Func<double, Limit> Limit)[] cases =
        [
            ("root", root, 0, static x => Limit.AtMost(x + 1.3)),
            ("neighbour", neighbour, 0, static x => Limit.AtMost(1 + (0.4 * (1 - x)))),
            ("other", other, 0, static _ => Limit.AtMost(1.1)),
            ("slow root", root, slow, static x => Limit.Between(0.9 + x, 1.1 + x)),
            ("neighbour of a slow root", neighbour, slow, static _ => Limit.AtMost(1.1)),
            ("other, slow root", other, slow, static _ => Limit.AtMost(1.1)),
        ];
        int made = 0;
        foreach ((string name, int killed, long reduceRate, Func<double, Limit> limit) in cases)
        {
            int[] homes = [.. Enumerable.Range(0, Shape.Count).Where(rank => rank != killed)];
            var job = new ShuffleJob(1, Combines: true)
            {
                FirstRoot = root,
                Homes = homes,
                ReduceRate = reduceRate,
            };
            ShuffleResult alone = Measure(run, size, keys, job, -1, 0, name, made);
            run.Check(
                $"{name}: undisturbed, in detection times",
                alone.Seconds / DetectionSeconds,
                Limit.AtLeast(LeastDetections)
            );
            Series series = plot.Add(name, SeriesKind.LineWithMarks);
            foreach (double part in parts)
            {
                ShuffleResult lost = Measure(run, size, keys, job, killed, part * alone.Seconds, name, made++);
                double ratio = lost.Seconds / alone.Seconds;
                run.Table.Add(name, reduceRate, part, lost.Seconds, alone.Seconds, ratio);
                series.Add(part, ratio);
                run.CheckTimed($"{name} lost at {part:0.##}: time / undisturbed", ratio, limit(part));
                run.Check(
                    $"{name} lost at {part:0.##}: the same output",
                    lost.Digest == alone.Digest ? 1 : 0,
                    Limit.Exactly(1)
                );
            }
        }

        ShuffleRows.Note(run, size);
        run.Note(
            $"A slow root takes {CamdoopFigures.SlowRoot} times the rate of a link, as the paper's did, and not "
                + "six times."
        );
    }

    private static ShuffleResult Measure(
        FigureRun run,
        ShuffleSize size,
        SharedKeys keys,
        ShuffleJob job,
        int killed,
        double after,
        string name,
        int made
    )
    {
        void Tick() => run.Report(Math.Min(0.99, made / 18.0), name);
        Tick();
        using var cube = new ShuffleCube(Shape, run.Options.Seed, new CountedKeys(keys), Tick, size.Terms);
        return cube.Run([job], killed, after)[0];
    }
}
