using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Routing;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// SIGCOMM Fig. 6, §6–7: what extended routing costs, and that the papers' routings do the same as F as they do as
/// verdicts. The cost is CPU time per packet and hop of whole simulated servers; throughput on cables is not measured
/// here.
/// </summary>
public sealed class ExtendedRoutingCost : IFigure
{
    private const double Most = 1.3,
        Apart = 0.05;

    /// <summary>Baseline and |K| = 1, 2, 3 of the paper: its CPU load in per cent.</summary>
    private const double PaperBase = 22.01,
        PaperThree = 25.35;

    private delegate void Comparison(
        string part,
        string what,
        string tick,
        double native,
        double function,
        string unit
    );

    /// <inheritdoc/>
    public string Name => "extended-fig6";

    /// <inheritdoc/>
    public string Title => "Extended routing: CPU time per packet and hop, and parity with verdicts";

    /// <inheritdoc/>
    public string Paper => "SIGCOMM'10 Fig. 6, sections 6 and 7";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        run.Table.SetColumns("part", "what", "verdict", "function", "function_over_verdict");
        Plot cost = run.Add(
            new Plot(
                "CPU time per packet and hop",
                new PlotAxis("") { Names = ["base routing", "1 key or link", "2", "3"] },
                new PlotAxis("part of base routing") { Least = 0 }
            )
        );
        Series asBase = cost.Add("base routing", SeriesKind.Bars);
        Series asVerdict = cost.Add("verdict: any of so many links", SeriesKind.Bars);
        Series asFunction = cost.Add("F: any of so many keys", SeriesKind.Bars);
        cost.Add("paper", SeriesKind.Marks, SeriesRole.Paper).Add(3, PaperThree / PaperBase);
        List<string> names = [];
        Plot parity = new(
            "F / verdict: gain of paths, links of trees by members, hops and root's part of lookups by k",
            new PlotAxis("") { Names = names },
            new PlotAxis("F / verdict")
        );
        Series ratios = parity.Add("measured", SeriesKind.Marks);
        Series least = parity.Add("at least", SeriesKind.Line, SeriesRole.Bound);
        Series most = parity.Add("at most", SeriesKind.Line, SeriesRole.Bound);

        if (run.Options.Scale == FigureScale.Smoke)
        {
            CostNotMade(run);
        }
        else
        {
            Cost(run, asBase, asVerdict, asFunction);
        }

        run.Add(parity);
        void Compare(string part, string what, string tick, double native, double function, string unit)
        {
            run.Table.Add(part, what, native, function, function / native);
            names.Add(tick);
            ratios.Add(names.Count - 1, function / native);
            run.Check(
                $"{part}: {what}, F",
                function,
                Limit.Between(native * (1 - Apart), native * (1 + Apart)),
                unit,
                expected: native
            );
        }

        Transfers(run, Compare);
        Trees(run, Compare);
        Lookups(run, Compare);
        foreach ((Series series, double at) in ((Series, double)[])[(least, 1 - Apart), (most, 1 + Apart)])
        {
            series.Add(-0.4, at);
            series.Add(names.Count - 0.6, at);
        }
    }

    private static void CostNotMade(FigureRun run)
    {
        run.NotMade("CPU per packet with 3 keys / base routing", Limit.AtMost(Most), "", PaperThree / PaperBase);
        run.NotMade("F costs more with 3 keys than with 1 (1: yes)", Limit.Exactly(1), expected: 1);
        run.Note("CPU time is not measured at this scale: it differs between runs.");
    }

    private static void Cost(FigureRun run, Series asBase, Series asVerdict, Series asFunction)
    {
        int warm = 4,
            rounds = run.ByScale(1, 9, 21);
        long hops = run.ByScale(10_000L, 100_000L, 300_000L);
        using var experiment = new RoutingCostExperiment(new TorusShape(5, 5, 5), run.Options.Seed);
        for (int i = 0; i < warm + rounds; i++)
        {
            run.Report(0.4 * i / (warm + rounds), "CPU time per hop");
            experiment.Round(hops, i >= warm);
        }

        double basis = experiment.Variants[0].Median;
        run.Table.Add("cost", "base routing, ns per hop", basis, basis, 1.0);
        asBase.Add(0, 1);
        run.Show("CPU per packet, base routing", basis, "ns");
        List<double> added = [];
        for (int keys = 1; keys <= 3; keys++)
        {
            double verdict = experiment.Variants.Single(v => v.Kind == "verdict" && v.Keys == keys).Median;
            double function = experiment.Variants.Single(v => v.Kind == "function" && v.Keys == keys).Median;
            asVerdict.Add(keys, verdict / basis);
            asFunction.Add(keys, function / basis);
            added.Add(function - verdict);
            run.Table.Add("cost", $"{keys} links or keys, ns per hop", verdict, function, function / verdict);
            run.Show($"CPU per packet, links as a verdict: {keys}", verdict, "ns");
            run.Show($"CPU per packet, keys of F: {keys}", function, "ns");
        }

        double three = experiment.Variants.Single(v => v.Kind == "function" && v.Keys == 3).Median;
        run.Check(
            "CPU per packet with 3 keys / base routing",
            three / basis,
            Limit.AtMost(Most),
            "",
            PaperThree / PaperBase
        );
        run.Check(
            "F costs more with 3 keys than with 1 (1: yes)",
            added[0] < added[2] ? 1 : 0,
            Limit.Exactly(1),
            expected: 1
        );
        run.Note(
            $"CPU time: median of {rounds} rounds in which the seven variants take turns in one process, "
                + $"{hops:N0} packet hops each. "
                + "How many links a packet may take changes how packets bunch and wait, so what F adds is its cost "
                + "less that of the same links as a verdict."
        );
        run.Note(
            "Throughput loss (paper: below 0.9 %) needs cables (fig4); in the simulator F costs no virtual time, "
                + "only 16 bytes per packet."
        );
    }

    private static void Transfers(FigureRun run, Comparison compare)
    {
        TorusShape shape = Shape(run);
        int destinations = run.ByScale(3, 24, 100),
            done = 0;
        List<double> native = [],
            function = [];
        double worst = 0;
        foreach ((_, double n, double f) in TransferParity.Run(shape, run.Options.Seed, destinations))
        {
            run.Report(0.4 + (0.2 * done++ / destinations), "transfers");
            native.Add(n);
            function.Add(f);
            worst = Math.Max(worst, Math.Abs((f / n) - 1));
        }

        compare("link-disjoint paths", "median gain", "gain", Median(native), Median(function), "");
        run.Show("link-disjoint paths: largest difference of a pair", 100 * worst, "%");
    }

    private static void Trees(FigureRun run, Comparison compare)
    {
        using var trees = new TreeParity(Shape(run), run.Options.Seed);
        double[] fractions = run.ByScale<double[]>([0.1], [0.02, 0.05, 0.1, 0.2, 0.5], [0.02, 0.05, 0.1, 0.2, 0.5]);
        int repeats = run.ByScale(1, 3, 10);
        foreach (double fraction in fractions)
        {
            (double native, double function) = (0, 0);
            for (int i = 0; i < repeats; i++)
            {
                run.Report(0.6 + (0.2 * Array.IndexOf(fractions, fraction) / fractions.Length), "trees");
                (double n, double f) = trees.Saved(fraction);
                (native, function) = (native + (100 * n / repeats), function + (100 * f / repeats));
            }

            // Of links needed, because savings may be near 0, where parts say nothing.
            compare(
                "mini-cube trees",
                $"links, {100 * fraction:0} % members",
                $"{100 * fraction:0} %",
                100 - native,
                100 - function,
                "% of base"
            );
        }
    }

    private static void Lookups(FigureRun run, Comparison compare)
    {
        int items = run.ByScale(4, 20, 60);
        foreach (int copies in run.ByScale<int[]>([1], [0, 1, 3], [0, 1, 2, 3]))
        {
            run.Report(0.8 + (0.05 * copies), "lookups");
            (double nativeHops, double nativeRoot) = LookupParity.Run(
                Shape(run),
                run.Options.Seed,
                items,
                copies,
                isFunction: false
            );
            (double hops, double root) = LookupParity.Run(
                Shape(run),
                run.Options.Seed,
                items,
                copies,
                isFunction: true
            );
            compare("cache", $"hops, k = {copies}", $"hops {copies}", nativeHops, hops, "hops");
            compare("cache", $"root's part, k = {copies}", $"root {copies}", 100 * nativeRoot, 100 * root, "%");
        }
    }

    private static TorusShape Shape(FigureRun run) =>
        run.ByScale(new TorusShape(4, 4, 4), new TorusShape(8, 8, 8), new TorusShape(8, 8, 8));

    private static double Median(List<double> values)
    {
        values.Sort();
        return (values[(values.Count - 1) / 2] + values[values.Count / 2]) / 2;
    }
}
