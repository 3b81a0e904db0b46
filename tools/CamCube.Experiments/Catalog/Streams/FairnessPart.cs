using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Streams;

namespace CamCube.Experiments.Catalog.Streams;

/// <summary>Streams with a connection each over one link, and a relay's own stream among those that pass.</summary>
internal static class FairnessPart
{
    private const double JainAsked = 0.95,
        SumAsked = 0.97;

    private static readonly (Crowd Crowd, string Name)[] Crowds =
    [
        (Crowd.OfOne, "all of one server"),
        (Crowd.Passing, "passing a relay"),
        (Crowd.Both, "half of a relay, half passing"),
    ];

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        int[] counts = run.ByScale<int[]>(
            [1, 8, 64, 128],
            [1, 2, 4, 8, 16, 32, 64, 128],
            [1, 2, 4, 8, 16, 32, 64, 128]
        );
        var time = TimeSpan.FromSeconds(run.ByScale(0.3, 1, 5));
        string[] names = [.. counts.Select(count => $"{count}")];
        Plot fair = run.Add(
            new Plot(
                "Fairness: streams over one link, a connection each",
                new PlotAxis("streams") { Names = names },
                new PlotAxis("Jain's index") { Least = 0.9, Most = 1.01 }
            )
        );
        Plot together = run.Add(
            new Plot(
                "Fairness: what they fill together",
                new PlotAxis("streams") { Names = names },
                new PlotAxis("rate", "links") { Least = 0.9, Most = 1.01 }
            )
        );
        Plot queue = run.Add(
            new Plot(
                "Fairness: most that waited for the link, after 200 ms",
                new PlotAxis("streams") { Names = names },
                new PlotAxis("full frames") { Least = 0 }
            )
        );
        int done = 0;
        foreach (var (crowd, name) in Crowds)
        {
            Series jain = fair.Add(name, SeriesKind.LineWithMarks),
                sum = together.Add(name, SeriesKind.LineWithMarks),
                waiting = queue.Add(name, SeriesKind.Bars);
            foreach (int count in counts)
            {
                double part = (double)done++ / (counts.Length * Crowds.Length);
                FairnessResult result = FairnessExperiment.Run(
                    crowd,
                    count,
                    run.Options.Seed,
                    time,
                    () => report(part, $"{count} streams, {name}")
                );
                int at = Array.IndexOf(counts, count);
                jain.Add(at, result.Jain);
                sum.Add(at, result.Sum);
                waiting.Add(at, result.MostWaiting);
                Tell(run, name, count, result);
            }
        }

        Series asked = queue.Add("asked: at most", SeriesKind.Marks, SeriesRole.Bound);
        foreach (int count in counts)
        {
            asked.Add(Array.IndexOf(counts, count), FairnessExperiment.MostWaitingAsked(count));
        }

        Series jainAsked = fair.Add("asked", SeriesKind.Line, SeriesRole.Bound),
            sumAsked = together.Add("asked", SeriesKind.Line, SeriesRole.Bound);
        for (int i = 0; i < counts.Length; i++)
        {
            jainAsked.Add(i, JainAsked);
            sumAsked.Add(i, SumAsked);
        }

        RunRelay(run, time, () => report(0.98, "a relay's own stream"));
        run.Note(
            "fairness: the link from 0,0,1 to 0,0,0 in a cube 5x5x5; streams from 0,0,1 itself on channels of their "
                + "own, from the servers behind it, which reach it by five links, or from both in turn; "
                + $"{time.TotalSeconds} s each, after 0.2 s. What waits is in bytes, as full frames: acknowledgements "
                + "of what the reader grants wait there too."
        );
    }

    private static void Tell(FigureRun run, string name, int count, FairnessResult result)
    {
        string streams = count == 1 ? "1 stream" : $"{count} streams";
        void Row(string what, double value, string unit) =>
            ValueRows.Add(run, "fairness", name, streams, what, value, unit);
        Row("Jain", result.Jain, "");
        Row("sum", result.Sum, "links");
        Row("least", result.Shares.Min() * count, "of its share");
        Row("most", result.Shares.Max() * count, "of its share");
        Row("drops", result.Drops, "packets");
        Row("most waiting after 200 ms", result.MostWaiting, "full frames");
        Row("most waiting after 200 ms, with acknowledgements", result.MostPacketsWaiting, "packets");
        Row("most waiting in the first 200 ms", result.MostWaitingFirst, "full frames");
        if (count <= 64)
        {
            run.Check($"{streams}, {name}: Jain", result.Jain, Limit.AtLeast(JainAsked));
            run.Check($"{streams}, {name}: sum", result.Sum, Limit.AtLeast(SumAsked), "links");
        }
        else
        {
            run.Show($"{streams}, {name}: Jain", result.Jain);
            run.Show($"{streams}, {name}: sum", result.Sum, "links");
        }

        run.Check($"{streams}, {name}: drops", result.Drops, Limit.Exactly(0), "packets");
        run.Check(
            $"{streams}, {name}: most waiting",
            result.MostWaiting,
            Limit.AtMost(FairnessExperiment.MostWaitingAsked(count)),
            "full frames"
        );
    }

    private static void RunRelay(FigureRun run, TimeSpan time, Action tick)
    {
        FairnessResult result = FairnessExperiment.RunRelay(run.Options.Seed, time, tick);
        string[] names = ["the relay's own", "from X", "from Y", "from Z"];
        Plot plot = run.Add(
            new Plot(
                "Fairness: a relay's own stream and three that pass",
                new PlotAxis("stream") { Names = names },
                new PlotAxis("of its quarter of the link") { Least = 0 }
            )
        );
        Series bars = plot.Add("measured", SeriesKind.Bars);
        Series asked = plot.Add("asked of its own: 0.8 to 1.3", SeriesKind.Marks, SeriesRole.Bound);
        asked.Add(0, 0.8);
        asked.Add(0, 1.3);
        for (int i = 0; i < names.Length; i++)
        {
            double quarters = result.Shares[i] * names.Length;
            bars.Add(i, quarters);
            ValueRows.Add(run, "fairness", "relay", names[i], "rate", quarters, "of its quarter");
        }

        run.Check(
            "a relay's own stream against three that pass",
            result.Shares[0] * names.Length,
            Limit.Between(0.8, 1.3),
            "of its quarter"
        );
        run.Check("a relay's own stream against three that pass: drops", result.Drops, Limit.Exactly(0), "packets");
    }
}
