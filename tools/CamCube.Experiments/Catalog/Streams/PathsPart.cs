using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Streams;
using CamCube.Messaging;

namespace CamCube.Experiments.Catalog.Streams;

/// <summary>One stream over one path of 1 to 6 hops, and over all link-disjoint paths of drawn pairs.</summary>
internal static class PathsPart
{
    private const int MostHops = 6,
        Pairs = 20;
    private const double OneAsked = 0.97,
        AllAsked = 0.95;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        var time = TimeSpan.FromSeconds(run.ByScale(0.2, 0.5, 5));
        RunOne(run, time, done => report(0.2 * done, "one path"));
        RunAll(run, time, (done, pair) => report(0.2 + (0.8 * done), $"all paths, {pair}"));
        run.Note($"paths: one stream in a cube 5x5x5; {time.TotalSeconds} s each, after 0.1 s.");
    }

    private static void RunOne(FigureRun run, TimeSpan time, Action<double> report)
    {
        Plot plot = run.Add(
            new Plot(
                "Paths: one path",
                new PlotAxis("hops") { Names = [.. Enumerable.Range(1, MostHops).Select(hops => $"{hops}")] },
                new PlotAxis("rate", "links") { Least = 0.9, Most = 1.01 }
            )
        );
        Series bars = plot.Add("measured", SeriesKind.Marks);
        Series asked = plot.Add("asked", SeriesKind.Line, SeriesRole.Bound);
        for (int hops = 1; hops <= MostHops; hops++)
        {
            double done = (hops - 1.0) / MostHops;
            double share = PathExperiment.Run(
                default,
                StreamCube.AtHops(hops),
                StreamPaths.One,
                run.Options.Seed,
                time,
                () => report(done)
            );
            bars.Add(hops - 1, share);
            asked.Add(hops - 1, OneAsked);
            string where = hops == 1 ? "1 hop" : $"{hops} hops";
            ValueRows.Add(run, "paths", "one path", where, "rate", share, "links");
            run.Check($"one path, {where}", share, Limit.AtLeast(OneAsked), "links");
        }
    }

    private static void RunAll(FigureRun run, TimeSpan time, Action<double, string> report)
    {
        List<(Coordinate From, Coordinate To)> pairs = PathExperiment.Draw(Pairs, run.Options.Seed);
        if (run.Options.Scale == FigureScale.Smoke)
        {
            pairs = [.. pairs.DistinctBy(pair => PathExperiment.PathsBetween(pair.From, pair.To))];
        }

        Plot plot = run.Add(
            new Plot(
                "Paths: all link-disjoint paths of drawn pairs",
                new PlotAxis("pair"),
                new PlotAxis("rate", "links") { Least = 0, Most = 5.5 }
            )
        );
        Series measured = plot.Add("measured", SeriesKind.Marks),
            there = plot.Add("link-disjoint paths", SeriesKind.Steps, SeriesRole.Expected);
        var least = new SortedDictionary<int, double>();
        for (int i = 0; i < pairs.Count; i++)
        {
            (Coordinate from, Coordinate to) = pairs[i];
            double done = (double)i / pairs.Count;
            double links = PathExperiment.Run(
                from,
                to,
                StreamPaths.All,
                run.Options.Seed,
                time,
                () => report(done, $"{from} to {to}")
            );
            int paths = PathExperiment.PathsBetween(from, to);
            measured.Add(i + 1, links);
            there.Add(i + 0.5, paths);
            there.Add(i + 1.5, paths);
            ValueRows.Add(run, "paths", $"{paths} paths", $"{from} to {to}", "rate", links, "links");
            least[paths] = Math.Min(least.GetValueOrDefault(paths, double.MaxValue), links);
        }

        foreach ((int paths, double links) in least)
        {
            run.Check(
                $"{paths} link-disjoint paths, the least of all pairs",
                links,
                Limit.AtLeast(AllAsked * paths),
                "links",
                expected: paths
            );
        }
    }
}
