using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Throughput;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// HPDC Fig. 5(b), §4.2.4: all-to-all among the live servers of a cube in which a random part has failed, at the rate
/// that the whole cube carries just so. Around failed servers paths get longer and links fewer, and what does not fit
/// is dropped.
/// </summary>
public sealed class ThroughputByFailures : IFigure
{
    // Median received by a fluid model with an equal split over all shortest links; real packets take the first free
    // one and lose less.
    private static readonly (int Percent, double Drop)[] Fluid =
    [
        (0, 0),
        (5, 11.7),
        (10, 22.8),
        (15, 31.0),
        (20, 40.2),
    ];
    private const double DropInPaper = 38.77;
    private static readonly Limit DropAt20 = Limit.Between(30, 48);
    private static readonly Limit Linear = Limit.AtLeast(0.97);

    /// <inheritdoc/>
    public string Name => "fig5b";

    /// <inheritdoc/>
    public string Title => "All-to-all throughput per live server while others are down";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Fig. 5(b), section 4.2.4";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        TorusShape shape = run.ByScale(new TorusShape(4, 4, 4), new TorusShape(8, 8, 8), new TorusShape(8, 8, 8));
        double[] percents = run.ByScale<double[]>(
            [0, 10, 20],
            [0, 5, 10, 15, 20],
            [0, 2.5, 5, 7.5, 10, 12.5, 15, 17.5, 20]
        );
        int sets = run.ByScale(1, 1, 3);
        double bound = AllToAllExperiment.BoundBitsPerSecond(shape, 1_000_000_000) / 1e9;
        run.Table.SetColumns(
            "failed_percent",
            "failed_servers",
            "set",
            "servers",
            "offered_gbps",
            "median_gbps",
            "p5_gbps",
            "p95_gbps",
            "mean_gbps"
        );
        Series measured = Draw(run, shape, bound);
        var medians = new List<(double X, double Y)>();
        for (int i = 0; i < percents.Length; i++)
        {
            var received = new List<double>();
            for (int set = 0; set < sets; set++)
            {
                (int point, int round) = (i, set);
                received.AddRange(
                    RunOne(
                        run,
                        shape,
                        percents[i],
                        set,
                        bound,
                        part =>
                            run.Report(
                                (point + ((round + part) / sets)) / percents.Length,
                                FormattableString.Invariant(
                                    $"{percents[point]} % of {shape.Count} servers failed, set {round + 1} of {sets}"
                                )
                            )
                    )
                );
            }

            received.Sort();
            medians.Add((percents[i], At(received, 0.5)));
            measured.Add(percents[i], At(received, 0.5), At(received, 0.05), At(received, 0.95));
        }

        Tell(run, shape, medians);
    }

    private static Series Draw(FigureRun run, TorusShape shape, double bound)
    {
        Plot plot = run.Add(
            new Plot(
                "",
                new PlotAxis($"failed servers of {shape.Count}", "%"),
                new PlotAxis("received per live server", "Gbit/s") { Least = 0 }
            )
        );
        Series measured = plot.Add("measured: median, and 5 % to 95 % of the servers", SeriesKind.LineWithMarks);
        if (shape.Count == 512)
        {
            Series fluid = plot.Add("fluid model", SeriesKind.Line, SeriesRole.Expected);
            foreach ((int percent, double drop) in Fluid)
            {
                fluid.Add(percent, bound * (1 - (drop / 100)));
            }

            plot.Add("paper: median", SeriesKind.Marks, SeriesRole.Paper).Add(20, bound * (1 - (DropInPaper / 100)));
        }

        return measured;
    }

    private static double[] RunOne(
        FigureRun run,
        TorusShape shape,
        double percent,
        int set,
        double bound,
        Action<double> progress
    )
    {
        int failed = (int)Math.Round(shape.Count * percent / 100);
        var time = TimeSpan.FromMilliseconds(run.ByScale(15, 30, 100));
        double[] received = FailedServersExperiment.Run(
            new FailedServersOptions
            {
                Shape = shape,
                Seed = run.Options.Seed,
                // A set with more failures contains the sets with fewer.
                Failed = new DrawStream(run.Options.Seed, $"failed, set {set}").Choose(failed, shape.Count),
                SkipUnreachable = true,
                DetectionTime = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime,
                Warmup = time,
                Duration = time,
            },
            progress
        );
        List<double> sorted = [.. received.Order()];
        run.Table.Add(
            percent,
            failed,
            set,
            shape.Count,
            bound,
            At(sorted, 0.5),
            At(sorted, 0.05),
            At(sorted, 0.95),
            received.Average()
        );
        return received;
    }

    private static void Tell(FigureRun run, TorusShape shape, List<(double X, double Y)> medians)
    {
        const string Drop = "drop of the median at 20 % failed",
            Fit = "R2 of a straight line";
        bool isWhole = shape.Count == 512;
        double whole = medians[0].Y;
        foreach ((double percent, double median) in medians.Where(m => m.X is > 0 and < 20))
        {
            double? expected =
                isWhole && Fluid.Any(f => f.Percent == percent) ? Fluid.First(f => f.Percent == percent).Drop : null;
            run.Show(
                FormattableString.Invariant($"drop of the median at {percent} % failed"),
                100 * (1 - (median / whole)),
                "%",
                null,
                expected
            );
        }

        double fall = 100 * (1 - (medians[^1].Y / whole));
        if (isWhole)
        {
            run.Check(Drop, fall, DropAt20, "%", DropInPaper, Fluid[^1].Drop);
            run.Check(Fit, LinearFit.Of(medians).RSquared, Linear, "", null, 1);
        }
        else
        {
            run.NotMade(Drop, DropAt20, "%", DropInPaper);
            run.NotMade(Fit, Linear);
        }

        int falls = medians.Zip(medians.Skip(1)).All(pair => pair.First.Y > pair.Second.Y) ? 1 : 0;
        run.Check("falls with every step (1: yes)", falls, Limit.Exactly(1), expected: 1);
        run.Note("Live servers send to live servers, at the rate that the whole cube carries just so.");
    }

    private static double At(List<double> sorted, double part) =>
        sorted[Math.Min((int)(part * sorted.Count), sorted.Count - 1)];
}
