using CamCube.Experiments.Figures;
using CamCube.Experiments.KeyValues;
using CamCube.Experiments.Plots;
using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>The core workloads of YCSB, but for E, at all servers.</summary>
internal static class YcsbPart
{
    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime,
            warmUp = TimeSpan.FromSeconds(run.ByScale(0.005, 0.02, 0.1)),
            time = TimeSpan.FromSeconds(run.ByScale(0.01, 0.05, 0.3));
        int records = run.ByScale(270, 2_700, 27_000);
        int[] clients = run.ByScale<int[]>([1], [4], [1, 4, 16]);
        IReadOnlyList<Workload> workloads = Workload.Core;
        string[] names = [.. workloads.Select(static one => one.Name.ToUpperInvariant())];
        Plot rates = run.Add(
                new Plot(
                    "YCSB at each of 27 servers: operations of the whole cube",
                    new PlotAxis("workload") { Names = names },
                    new PlotAxis("done", "1,000/s") { Least = 0 }
                )
            ),
            times = run.Add(
                new Plot(
                    "YCSB: time that 99 of 100 operations took at most",
                    new PlotAxis("workload") { Names = names },
                    new PlotAxis("time", "ms") { Least = 0 }
                )
            );
        for (int i = 0; i < clients.Length; i++)
        {
            Series rate = rates.Add($"{clients[i]} at a time per server", SeriesKind.Bars),
                late = times.Add($"{clients[i]} at a time per server", SeriesKind.Bars);
            for (int w = 0; w < workloads.Count; w++)
            {
                double part = ((i * workloads.Count) + w) / (double)(clients.Length * workloads.Count);
                string doing = $"workload {names[w]}, {clients[i]} at a time";
                (LoadTally counted, long failed) = YcsbExperiment.Run(
                    workloads[w],
                    records,
                    clients[i],
                    run.Options.Seed,
                    detection,
                    warmUp,
                    time,
                    () => report(part, doing)
                );
                double perSecond = counted.Done / time.TotalSeconds;
                rate.Add(w, perSecond / 1e3);
                IReadOnlyList<OperationRow> rows = counted.Rows(time.TotalSeconds);
                late.Add(w, rows.Count > 0 ? rows.Max(static row => row.P99Micros) / 1e3 : 0);
                Show(run, names[w], $"{clients[i]} at a time", perSecond, rows);
                run.Check($"{doing}: operations that failed, or read another's value", failed, Limit.Exactly(0));
            }
        }

        run.Note(
            $"ycsb: {records} records of {YcsbExperiment.Length} bytes on disks of flash, reads of the latest; the "
                + "last plot is of the slowest kind of operation of each workload."
        );
    }

    private static void Show(
        FigureRun run,
        string workload,
        string where,
        double perSecond,
        IReadOnlyList<OperationRow> rows
    )
    {
        void row(string what, double value, string unit) =>
            ValueRows.Add(run, "ycsb", workload, where, what, value, unit);
        run.Show($"{workload}, {where}: operations of the cube", perSecond / 1e3, "1,000/s");
        row("rate", perSecond, "1/s");
        foreach (OperationRow one in rows)
        {
            row($"{one.Operation}, rate", one.PerSecond, "1/s");
            row($"{one.Operation}, median", one.P50Micros / 1e3, "ms");
            row($"{one.Operation}, 99 of 100", one.P99Micros / 1e3, "ms");
        }
    }
}
