using CamCube.Experiments.Figures;
using CamCube.Experiments.Images;
using CamCube.Experiments.Plots;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.Images;

/// <summary>HPDC Fig. 6(c): pictures are put at all servers while a third of them fails, one after the other.</summary>
internal static class FailuresPart
{
    private const int Failing = 9;
    private const double Asked = 0.55;
    private const double InPaper = 1 - 0.3885;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        int failing = run.ByScale(1, Failing, Failing),
            clients = run.ByScale(1, 2, 6);
        var interval = TimeSpan.FromSeconds(run.ByScale(0.4, 0.8, 2));
        IReadOnlyList<int> servers = new DrawStream(run.Options.Seed, "failing servers").Choose(
            failing,
            ImageExperiment.Servers
        );
        ImageFailures result = ImageExperiment.RunFailures(
            clients,
            servers,
            interval,
            run.Options.Seed,
            detection,
            done => report(done, $"{failing} servers fail")
        );
        Plot plot = run.Add(
            new Plot(
                $"Failures: a server fails every {interval.TotalSeconds} s",
                new PlotAxis("time", "s") { Least = 0 },
                new PlotAxis("put", "Gbit/s") { Least = 0 }
            )
        );
        Series series = plot.Add("measured", SeriesKind.Line);
        foreach ((double seconds, int failed, double rate) in result.Points)
        {
            series.Add(seconds, rate / 1e9);
            ValueRows.Add(run, "fig6c", $"{failed} failed", $"{seconds} s", "rate", rate / 1e9, "Gbit/s");
        }

        double Last(int failed) =>
            result.Points.Where(p => p.Failed == failed).TakeLast(2).Average(static p => p.BitsPerSecond);
        double whole = Last(0);
        const string What = "rate with 9 of 27 servers lost / rate before";
        if (failing == Failing)
        {
            run.Check(What, Last(failing) / whole, Limit.AtLeast(Asked), "", InPaper);
        }
        else
        {
            run.NotMade(What, Limit.AtLeast(Asked), "", InPaper);
        }

        run.Check(
            "acknowledged images that a majority of their servers has, and that are not found",
            result.Kept - result.Readable,
            Limit.Exactly(0)
        );
        run.Show("rate before", whole / 1e9, "Gbit/s");
        run.Show("acknowledged images", result.Acknowledged, "");
        run.Show("of them with two servers of three at the end", result.Kept, "");
        run.Note($"fig6c: no disk, {clients} pictures at a time per server; the clients of a server fail with it.");
    }
}
