using CamCube.Experiments.Figures;
using CamCube.Experiments.KeyValues;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>A server fails under clients that put all the time.</summary>
internal static class FailoverPart
{
    private static readonly (bool Leads, string Name, double Asked)[] Kinds =
    [
        (true, "leader killed", 0.8),
        (false, "other member killed", 0.5),
    ];

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        int clients = run.ByScale(10, 50, 200);
        for (int i = 0; i < Kinds.Length; i++)
        {
            (bool leads, string name, double asked) = Kinds[i];
            double part = (double)i / Kinds.Length;
            (List<long> gaps, long failed) = FailoverExperiment.Run(
                leads,
                clients,
                run.Options.Seed,
                detection,
                () => report(part, name)
            );
            ValueRows.Add(
                run,
                "failover",
                name,
                "all",
                "longest gap, median of clients",
                gaps[gaps.Count / 2] / 1e9,
                "s"
            );
            ValueRows.Add(run, "failover", name, "all", "longest gap", gaps[^1] / 1e9, "s");
            ValueRows.Add(run, "failover", name, "all", "answers other than done", failed, "puts");
            run.Show($"{name}: longest gap of the median client", gaps[gaps.Count / 2] / 1e9, "s");
            run.CheckTimed($"{name}: longest gap of {clients} clients", gaps[^1] / 1e9, Limit.AtMost(asked), "s");
        }

        run.Note($"failover: disks of flash, values of 100 bytes, detection time {detection.TotalMilliseconds} ms.");
    }
}
