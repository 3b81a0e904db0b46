using CamCube.Experiments.Figures;
using CamCube.Experiments.Images;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.Images;

/// <summary>HPDC Fig. 6(c): pictures are put at all servers while a third of them fails, one after the other.</summary>
internal static class FailuresPart
{
    private const double Asked = 0.55;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        int failing = run.ByScale(1, FailureRates.Failing, FailureRates.Failing),
            clients = run.ByScale(1, 2, 6);
        var interval = TimeSpan.FromSeconds(run.ByScale(0.4, 2, 4));
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
        double whole = FailureRates.Show(run, "fig6c", result.Points, servers, interval, Asked);
        run.Check(
            "acknowledged images that a majority of their servers has, and that are not found",
            result.Kept - result.Readable,
            Limit.Exactly(0)
        );
        run.Show("rate before", whole / 1e9, "Gbit/s");
        run.Show("acknowledged images", result.Acknowledged, "");
        run.Show("of them with two servers of three at the end", result.Kept, "");
        run.Note(
            $"fig6c: no disk, {clients} pictures at a time per server; who asked one that fails goes on at others."
        );
    }
}
