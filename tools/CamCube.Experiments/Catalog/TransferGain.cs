using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Transfers;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// SIGCOMM Fig. 1, §3.1: throughput of one connection by link-disjoint paths against base routing. Base routing has as
/// many links at the source as axes differ, and loses packets where its shortest paths run together; disjoint paths
/// have more the fewer axes differ.
/// </summary>
public sealed class TransferGain : IFigure
{
    private const double LeastGaining = 95;
    private const int FewestForParts = 40;

    // Of a slot model: link rates by base routing and by disjoint paths, and their median gain, for 1, 2 and 3 axes.
    private static readonly (double Base, double Disjoint, double Gain)[] Model =
    [
        (1.0, 5, 5),
        (1.74, 4, 2.3),
        (2.07, 3, 1.45),
    ];

    /// <inheritdoc/>
    public string Name => "routing-fig1";

    /// <inheritdoc/>
    public string Title => "Throughput by link-disjoint paths as a multiple of that by base routing, per destination";

    /// <inheritdoc/>
    public string Paper => "SIGCOMM'10 Fig. 1, section 3.1";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        var options = new TransferExperimentOptions
        {
            Shape = run.ByScale(new TorusShape(11, 11, 11), new(20, 20, 20), new(20, 20, 20)),
            Seed = run.Options.Seed,
            Destinations = run.ByScale(12, 100, 2_000),
            LeastPerAxes = run.ByScale(3, 10, 100),
            Packets = run.ByScale(500, 2_000, 10_000),
        };
        run.Table.SetColumns(
            "destination",
            "hops",
            "differing_axes",
            "antipodal_axes",
            "added",
            "base_gbps",
            "disjoint_gbps",
            "gain",
            "base_lost",
            "disjoint_lost"
        );
        Plot plot = run.Add(
            new Plot(
                "",
                new PlotAxis("throughput by disjoint paths / by base routing") { Least = 0 },
                new PlotAxis("destinations with less", "%") { Least = 0, Most = 100 }
            )
        );
        var pairs = new List<TransferPair>();
        string doing = $"{options.Shape}, {options.Packets} packets to each destination";
        try
        {
            TransferExperiment.Run(
                options,
                pair =>
                {
                    pairs.Add(pair);
                    run.Table.Add(
                        pair.To.ToString(),
                        pair.Hops,
                        pair.DifferingAxes,
                        pair.AntipodalAxes,
                        pair.IsAdded ? 1 : 0,
                        pair.BaseGbps,
                        pair.DisjointGbps,
                        pair.Gain,
                        pair.BaseLost,
                        pair.DisjointLost
                    );
                },
                done => run.Report(done, doing)
            );
        }
        finally
        {
            Draw(plot, pairs);
            Tell(run, pairs);
        }

        run.Note(
            $"{options.Shape}, one random source, {options.Destinations} random destinations in turn and "
                + $"{pairs.Count(pair => pair.IsAdded)} more so that each number of differing axes has "
                + $"{options.LeastPerAxes}; "
                + $"{options.Packets} different packets of 1,500 bytes to each, raw, lost ones sent again; queues of "
                + $"{options.QueueLimit} packets per server."
        );
        run.Note(
            "Base routing takes the first free one of the shortest links; of several free ones, "
                + "servers take turns. How "
                + "they do decides where paths run together: docs/experiments.md."
        );
        run.Note("Time is from the first sending to the last arrival; the source always has more to send.");
    }

    private static void Draw(Plot plot, List<TransferPair> pairs)
    {
        for (int axes = 1; axes <= 3; axes++)
        {
            string name = axes == 1 ? "1 axis differs" : $"{axes} axes differ";
            Cumulate(plot.Add(name, SeriesKind.Steps), pairs.Where(pair => pair.DifferingAxes == axes));
        }

        Cumulate(plot.Add("all random destinations", SeriesKind.Steps), pairs.Where(pair => !pair.IsAdded));
        Series model = plot.Add("medians of a slot model", SeriesKind.Marks, SeriesRole.Expected);
        foreach ((_, _, double gain) in Model)
        {
            model.Add(gain, 50);
        }
    }

    private static void Cumulate(Series series, IEnumerable<TransferPair> pairs)
    {
        double[] gains = [.. pairs.Select(pair => pair.Gain).Order()];
        for (int i = 0; i < gains.Length; i++)
        {
            series.Add(gains[i], 100.0 * (i + 1) / gains.Length);
        }
    }

    private static void Tell(FigureRun run, List<TransferPair> pairs)
    {
        if (pairs.Count == 0)
        {
            return;
        }

        var medians = new double[4];
        for (int axes = 1; axes <= 3; axes++)
        {
            TransferPair[] some = [.. pairs.Where(pair => pair.DifferingAxes == axes)];
            medians[axes] = Median(some.Select(pair => pair.Gain));
            (double basis, double disjoint, double gain) = Model[axes - 1];
            string what = axes == 1 ? "1 axis differs" : $"{axes} axes differ";
            double baseGbps = Median(some.Select(pair => pair.BaseGbps));
            double disjointGbps = Median(some.Select(pair => pair.DisjointGbps));
            run.Show($"{what}: base routing, median", baseGbps, "Gbit/s", expected: basis);
            run.Show($"{what}: disjoint paths, median", disjointGbps, "Gbit/s", expected: disjoint);
            run.Show($"{what}: median gain", medians[axes], "x", expected: gain);
        }

        TransferPair[] random = [.. pairs.Where(pair => !pair.IsAdded)];
        const string Gaining = "destinations with gain above 1";
        if (random.Length < FewestForParts)
        {
            run.NotMade(Gaining, Limit.AtLeast(LeastGaining), "%", 100, LeastGaining);
        }
        else
        {
            double gaining = 100.0 * random.Count(pair => pair.Gain > 1) / random.Length;
            run.Check(Gaining, gaining, Limit.AtLeast(LeastGaining), "%", 100, LeastGaining);
        }

        run.Check("median gain, 2 axes / 3 axes", medians[2] / medians[3], Limit.AtLeast(1), "x", expected: 2.3 / 1.45);
        run.Check("median gain, 1 axis / 2 axes", medians[1] / medians[2], Limit.AtLeast(1), "x", expected: 5 / 2.3);
        TransferPair[] antipodal = [.. random.Where(pair => pair.AntipodalAxes > 0)];
        if (antipodal.Length > 0)
        {
            run.Show("antipodal axis: median gain", Median(antipodal.Select(pair => pair.Gain)), "x");
            run.Show("antipodal axis: least gain", antipodal.Min(pair => pair.Gain), "x", expected: 0.85);
        }
    }

    private static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? double.NaN : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
