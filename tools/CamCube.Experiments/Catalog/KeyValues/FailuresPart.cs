using CamCube.Experiments.Figures;
using CamCube.Experiments.KeyValues;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>HPDC Fig. 6(c): values are put at all servers while a third of them fails, one after the other. As there
/// the generators do not fail, and have as many on their way as before.</summary>
internal static class FailuresPart
{
    private const int Servers = 27;
    private const double Asked = 0.6;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        int failing = run.ByScale(1, FailureRates.Failing, FailureRates.Failing),
            clients = run.ByScale(1, 4, 4);
        var interval = TimeSpan.FromSeconds(run.ByScale(0.4, 2, 4));
        IReadOnlyList<int> servers = new DrawStream(run.Options.Seed, "failing servers").Choose(failing, Servers);
        List<(double Seconds, int Failed, double BitsPerSecond)> points = InsertExperiment.RunFailures(
            clients,
            servers,
            interval,
            run.Options.Seed,
            detection,
            done => report(done, $"{failing} servers fail")
        );
        double whole = FailureRates.Show(run, "failures", points, servers, interval, Asked);
        run.Show("rate before", whole / 1e9, "Gbit/s");
        run.Note(
            $"failures: no disk, {clients} values at a time per server; who asked one that fails goes on at others."
        );
    }
}
