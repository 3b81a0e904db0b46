using CamCube.Experiments.Figures;
using CamCube.Experiments.Images;
using CamCube.Experiments.Plots;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.Images;

/// <summary>HPDC Fig. 6(b): thumbnails looked up at all servers, some at a time, from the cache and from the key-value
/// store, beside the closed form of a switch.</summary>
internal static class LookupPart
{
    private const double OfSwitchAsked = 0.95;
    private const double MedianAsked = 0.95;
    private const double LinearAsked = 0.97;

    // Those with which links are free: with one more at each server a tenth more of the links would be in use.
    private const int MostOnFreeLinks = 4;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime,
            warmUp = TimeSpan.FromMilliseconds(run.ByScale(1, 5, 20)),
            time = TimeSpan.FromMilliseconds(run.ByScale(4, 20, 100));
        int images = run.ByScale(270, 2_330, 23_300);
        int[] clients = run.ByScale<int[]>([1, 2], [1, 2, 4, 12], [1, 2, 3, 4, 6, 8, 12]);
        Plot plot = run.Add(
            new Plot(
                "Lookup: thumbnails of 3.5 KB at 27 servers",
                new PlotAxis("lookups at a time") { Least = 0 },
                new PlotAxis("thumbnails", "1/ms") { Least = 0 }
            )
        );
        Series bound = plot.Add("a perfect switch", SeriesKind.Line, SeriesRole.Bound);
        foreach (int count in clients)
        {
            bound.Add(AtATime(count), LookupExperiment.SwitchPerSecond(AtATime(count)) / 1e3);
        }

        double part = 0;
        using var experiment = new LookupExperiment(
            images,
            run.Options.Seed,
            detection,
            () => report(part, $"{images} images")
        );
        List<LookupResult> Measure(string name, bool asksForVariants)
        {
            Series series = plot.Add(name, SeriesKind.LineWithMarks);
            List<LookupResult> results = [];
            foreach (int count in clients)
            {
                part += 0.5 / (clients.Length + 1);
                LookupResult result = experiment.Run(count, asksForVariants, warmUp, time);
                series.Add(AtATime(count), result.PerSecond / 1e3);
                Rows(run, name, AtATime(count), result);
                results.Add(result);
            }

            return results;
        }

        List<LookupResult> cache = Measure("cache", true),
            store = Measure("no cache", false);
        Judge(run, clients, cache, store);
        run.Note(
            $"fig6b: {images} images, drawn evenly; disks of flash. Without the cache thumbnails are read as originals "
                + "of the same length. The switch is a closed form: 27 ports of 1 Gbit/s, through two of which a "
                + "thumbnail goes, and nothing else takes any time."
        );
    }

    private static int AtATime(int clients) => clients * LookupExperiment.Servers;

    private static void Judge(FigureRun run, int[] clients, List<LookupResult> cache, List<LookupResult> store)
    {
        string most = $"{AtATime(clients[^1])} at a time";
        run.CheckTimed(
            $"cache, {most}: rate / that without",
            cache[^1].PerSecond / store[^1].PerSecond,
            Limit.AtLeast(1)
        );
        run.CheckTimed(
            $"cache, {most}: rate / that of a perfect switch",
            cache[^1].PerSecond / LookupExperiment.SwitchPerSecond(AtATime(clients[^1])),
            Limit.AtLeast(OfSwitchAsked)
        );
        run.CheckTimed(
            $"cache, {most}: median time / that without",
            (double)cache[^1].MedianNanos / store[^1].MedianNanos,
            Limit.AtMost(MedianAsked),
            "",
            0.83 / 0.97
        );
        run.CheckTimed(
            $"cache, {AtATime(clients[0])} at a time: median time / that without",
            (double)cache[0].MedianNanos / store[0].MedianNanos,
            Limit.AtMost(MedianAsked)
        );
        run.Show(
            $"cache, {AtATime(clients[0])} at a time: rate / that of a perfect switch",
            cache[0].PerSecond / LookupExperiment.SwitchPerSecond(AtATime(clients[0]))
        );
        (double X, double Y)[] free =
        [
            .. clients
                .Select((count, i) => ((double)count, cache[i].PerSecond))
                .Where(static point => point.Item1 <= MostOnFreeLinks),
        ];
        run.CheckTimed(
            $"cache, up to {AtATime(MostOnFreeLinks)} at a time: how straight the line of rates is (R²)",
            LinearFit.Of(free).RSquared,
            Limit.AtLeast(LinearAsked)
        );
    }

    private static void Rows(FigureRun run, string name, int atATime, LookupResult result)
    {
        void Row(string what, double value, string unit) =>
            ValueRows.Add(run, "fig6b", name, $"{atATime} at a time", what, value, unit);
        Row("rate", result.PerSecond / 1e3, "1/ms");
        Row("switch", LookupExperiment.SwitchPerSecond(atATime) / 1e3, "1/ms");
        Row("time of a lookup, median", result.MedianNanos / 1e3, "us");
        Row("time of a lookup, 95 of 100", result.LateNanos / 1e3, "us");
        run.Check($"{name}, {atATime} at a time: lookups that failed", result.Failed, Limit.Exactly(0));
    }
}
