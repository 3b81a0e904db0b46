using CamCube.Experiments.Figures;
using CamCube.Experiments.Images;
using CamCube.Experiments.Plots;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.Images;

/// <summary>HPDC Fig. 6(a): pictures put at all servers, some at a time, beside the closed form of a switch.</summary>
internal static class InsertPart
{
    private const double NoDiskAsked = 1.3;
    private const double NoDiskInPaper = 1.93;
    private const double DiskAsked = 1.1;
    private const double DiskInPaper = 1.31;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime,
            warmUp = TimeSpan.FromSeconds(run.ByScale(0.05, 0.3, 0.5)),
            time = TimeSpan.FromSeconds(run.ByScale(0.2, 0.4, 1));
        int[] clients = run.ByScale<int[]>([1], [1, 6], [1, 2, 4, 6]);
        Plot plot = run.Add(
            new Plot(
                "Insert: pictures of 1.47 MB put at 27 servers",
                new PlotAxis("pictures at a time") { Least = 0 },
                new PlotAxis("put", "Gbit/s") { Least = 0 }
            )
        );
        Series bound = plot.Add("a perfect switch", SeriesKind.Line, SeriesRole.Bound);
        foreach (int count in clients)
        {
            int atATime = count * ImageExperiment.Servers;
            bound.Add(atATime, ImageExperiment.SwitchBitsPerSecond(atATime) / 1e9);
        }

        (bool HasDisk, string Name, double Asked, double Paper)[] kinds =
        [
            (false, "no disk", NoDiskAsked, NoDiskInPaper),
            (true, "disks of flash", DiskAsked, DiskInPaper),
        ];
        int all = kinds.Length * clients.Length,
            done = 0;
        foreach (var (hasDisk, name, asked, paper) in kinds)
        {
            Series series = plot.Add(name, SeriesKind.LineWithMarks);
            List<double> ratios = [];
            foreach (int count in clients)
            {
                double part = (double)done++ / all;
                int atATime = count * ImageExperiment.Servers;
                ImageResult result = ImageExperiment.Run(
                    count,
                    run.Options.Seed,
                    detection,
                    hasDisk,
                    warmUp,
                    time,
                    () => report(part, $"{atATime} at a time, {name}")
                );
                series.Add(atATime, result.BitsPerSecond / 1e9);
                ratios.Add(result.BitsPerSecond / ImageExperiment.SwitchBitsPerSecond(atATime));
                Rows(run, name, atATime, result);
            }

            string what = $"{name}, {clients[^1] * ImageExperiment.Servers} at a time: rate / that of a perfect switch";
            run.CheckTimed(what, ratios[^1], Limit.AtLeast(asked), "", paper);
            run.CheckTimed($"{name}: the same / that of the fewest", ratios[^1] / ratios[0], Limit.AtLeast(1));
        }

        run.Note(
            FormattableString.Invariant(
                $"fig6a: the switch is a closed form, as good as one can be: 27 ports of 1 Gbit/s, and a picture that "
            )
                + FormattableString.Invariant(
                    $"waits for nothing but its worker ({ImageExperiment.WorkerTime.TotalMilliseconds:F0} ms) and its "
                )
                + "own bytes until they are full. The paper measured a real one, with TCP, and has its clients outside."
        );
    }

    private static void Rows(FigureRun run, string name, int atATime, ImageResult result)
    {
        void Row(string what, double value, string unit) =>
            ValueRows.Add(run, "fig6a", name, $"{atATime} at a time", what, value, unit);
        Row("rate", result.BitsPerSecond / 1e9, "Gbit/s");
        Row("switch", ImageExperiment.SwitchBitsPerSecond(atATime) / 1e9, "Gbit/s");
        Row("time of a picture, median", result.MedianNanos / 1e6, "ms");
        Row("time of a picture, longest", result.LatestNanos / 1e6, "ms");
        Row("thumbnails later", result.Pending, "pictures");
        run.Check($"{name}, {atATime} at a time: puts that failed", result.Failed, Limit.Exactly(0));
    }
}
