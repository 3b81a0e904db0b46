using CamCube.Experiments.Figures;
using CamCube.Experiments.KeyValues;
using CamCube.Experiments.Plots;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>HPDC Fig. 6(c): values are put at all servers while a third of them fails, one after the other.</summary>
internal static class FailuresPart
{
    private const int Servers = 27;
    private const int Failing = 9;
    private const double Asked = 0.6;
    private const double InPaper = 1 - 0.3885;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        int failing = run.ByScale(1, Failing, Failing),
            clients = run.ByScale(1, 4, 4);
        var interval = TimeSpan.FromSeconds(run.ByScale(0.4, 1, 4));
        IReadOnlyList<int> servers = new DrawStream(run.Options.Seed, "failing servers").Choose(failing, Servers);
        List<(double Seconds, int Failed, double BitsPerSecond)> points = InsertExperiment.RunFailures(
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
        foreach ((double seconds, int failed, double rate) in points)
        {
            series.Add(seconds, rate / 1e9);
            ValueRows.Add(run, "failures", $"{failed} failed", $"{seconds} s", "rate", rate / 1e9, "Gbit/s");
        }

        double Last(int failed) =>
            points.Where(p => p.Failed == failed).TakeLast(2).Average(static p => p.BitsPerSecond);
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

        run.Show("rate before", whole / 1e9, "Gbit/s");
        run.Note($"failures: no disk, {clients} values at a time per server; the clients of a server fail with it.");
    }
}
