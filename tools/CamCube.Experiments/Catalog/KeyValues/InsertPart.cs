using CamCube.Experiments.Figures;
using CamCube.Experiments.KeyValues;
using CamCube.Experiments.Plots;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>HPDC Fig. 6(a): values of the length of photographs, put at all servers, some at a time.</summary>
internal static class InsertPart
{
    // Over the closed form of a switch, with no disk.
    private const double Asked = 1.93;
    private const double InPaper = 1.93;
    private const double WithDiskInPaper = 1.31;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime,
            warmUp = TimeSpan.FromSeconds(run.ByScale(0.02, 0.1, 0.5)),
            time = TimeSpan.FromSeconds(run.ByScale(0.03, 0.2, 1));
        int[] clients = run.ByScale<int[]>([1], [1, 4, 10], [1, 2, 4, 6, 10]);
        Plot plot = run.Add(
            new Plot(
                "Insert: values of 1.47 MB put at each of 27 servers",
                new PlotAxis("values at a time, per server") { Least = 0 },
                new PlotAxis("put", "Gbit/s") { Least = 0 }
            )
        );
        (bool HasDisk, string Name, double Paper)[] kinds =
        [
            (false, "no disk", InPaper),
            (true, "disks of flash", WithDiskInPaper),
        ];
        Series bound = plot.Add("a perfect switch", SeriesKind.Line, SeriesRole.Bound);
        foreach (int count in clients)
        {
            bound.Add(count, InsertExperiment.SwitchBitsPerSecond / 1e9);
        }

        int all = kinds.Length * clients.Length,
            done = 0;
        foreach (var (hasDisk, name, paper) in kinds)
        {
            Series series = plot.Add(name, SeriesKind.LineWithMarks);
            double best = 0;
            foreach (int count in clients)
            {
                double part = (double)done++ / all;
                InsertResult result = InsertExperiment.Run(
                    count,
                    run.Options.Seed,
                    detection,
                    hasDisk,
                    warmUp,
                    time,
                    () => report(part, $"{count} at a time, {name}")
                );
                series.Add(count, result.BitsPerSecond / 1e9);
                best = Math.Max(best, result.BitsPerSecond);
                void Row(string what, double value, string unit) =>
                    ValueRows.Add(run, "insert", name, $"{count} at a time", what, value, unit);
                Row("rate", result.BitsPerSecond / 1e9, "Gbit/s");
                Row("time of a value, median", result.MedianNanos / 1e6, "ms");
                Row("time of a value, longest", result.LatestNanos / 1e6, "ms");
                Row("failed", result.Failed, "values");
                run.Check($"{name}, {count} at a time: puts that failed", result.Failed, Limit.Exactly(0));
            }

            double ratio = best / InsertExperiment.SwitchBitsPerSecond;
            if (hasDisk)
            {
                run.Show($"{name}: rate / that of a perfect switch", ratio, "", paper);
            }
            else
            {
                run.CheckTimed($"{name}: rate / that of a perfect switch", ratio, Limit.AtLeast(Asked), "", paper);
            }
        }

        run.Note(
            FormattableString.Invariant(
                $"insert: a perfect switch has 27 ports of 1 Gbit/s, and {InsertExperiment.CopiesIn:F2} copies of each "
            ) + "value come out of it. The paper measured a real one, with TCP."
        );
    }
}
