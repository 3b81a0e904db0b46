using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Streams;

namespace CamCube.Experiments.Catalog.Streams;

/// <summary>One stream over one path of links that lose packets, by the window that its reader grants.</summary>
internal static class LossPart
{
    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        var time = TimeSpan.FromSeconds(run.ByScale(0.3, 1, 5));
        List<LossPoint> points = LossExperiment.Run(
            run.Options.Seed,
            time,
            done => report(done, "links that lose packets")
        );
        foreach (IGrouping<int, LossPoint> hops in points.GroupBy(point => point.Hops))
        {
            Draw(run, hops.Key, [.. hops]);
        }

        foreach (LossPoint point in points)
        {
            string window = point.WindowName,
                at = $"{Where(point.Hops)}, loss {Numbers.Short(100 * point.Loss)} %";
            ValueRows.Add(run, "loss", window, at, "rate", point.Share, "links");
            ValueRows.Add(run, "loss", window, at, "rate / (1-loss)^hops", point.OfArriving, "");
            if (point.Asked is { } asked)
            {
                run.Check($"{at}, {window}: of (1-loss)^hops", point.OfArriving, Limit.AtLeast(asked));
            }
            else if (point.Window == LossExperiment.Windows[^1])
            {
                run.Show($"{at}, {window}: of (1-loss)^hops", point.OfArriving);
            }
        }

        run.Note(
            $"loss: one path, each link loses packets, acknowledgements too; {time.TotalSeconds} s each, after 0.1 s."
        );
    }

    private static void Draw(FigureRun run, int hops, LossPoint[] points)
    {
        double[] losses = [.. points.Select(point => point.Loss).Distinct()];
        Plot plot = run.Add(
            new Plot(
                $"Loss, {Where(hops)}: rate as a part of what arrives, by the reader's window",
                new PlotAxis("packets that each link loses")
                {
                    Names = [.. losses.Select(loss => $"{Numbers.Short(100 * loss)} %")],
                },
                new PlotAxis("rate / (1-loss)^hops") { Least = 0 }
            )
        );
        foreach (IGrouping<string, LossPoint> window in points.GroupBy(point => point.WindowName))
        {
            Series series = plot.Add(window.Key, SeriesKind.Bars);
            foreach (LossPoint point in window)
            {
                series.Add(Array.IndexOf(losses, point.Loss), point.OfArriving);
            }
        }

        Series asked = plot.Add("asked of 1 MiB", SeriesKind.Marks, SeriesRole.Bound);
        foreach (LossPoint point in points)
        {
            if (point.Asked is { } least)
            {
                asked.Add(Array.IndexOf(losses, point.Loss), least);
            }
        }
    }

    private static string Where(int hops) => hops == 1 ? "1 hop" : $"{hops} hops";
}
