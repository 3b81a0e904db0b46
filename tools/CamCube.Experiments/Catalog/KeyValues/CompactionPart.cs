using CamCube.Experiments.Figures;
using CamCube.Experiments.KeyValues;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>The log is compacted while clients put values at a steady rate.</summary>
internal static class CompactionPart
{
    private const double AskedOfTime = 2;
    private const double AskedOfDisk = 2;
    private static readonly (int Clients, double EveryMillis, string Name)[] Loads =
    [
        (4, 20, "4 clients at each server, a put each 20 ms"),
        (8, 8, "8 clients at each server, a put each 8 ms"),
    ];

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime,
            time = TimeSpan.FromSeconds(run.ByScale(0.3, 3, 8));
        int keys = run.ByScale(40, 100, 200);
        foreach (var (clients, every, name) in run.ByScale(Loads[..1], Loads, Loads))
        {
            CompactionResult Measure(bool overwrites) =>
                CompactionExperiment.Run(
                    overwrites,
                    clients,
                    keys,
                    TimeSpan.FromMilliseconds(every),
                    time,
                    run.Options.Seed,
                    detection,
                    () => report(0, name)
                );

            CompactionResult without = Measure(false),
                with = Measure(true);
            foreach (var (result, kind) in ((CompactionResult, string)[])[(without, "new keys"), (with, "old keys")])
            {
                void Row(string what, double value, string unit) =>
                    ValueRows.Add(run, "compaction", $"{name}, {kind}", "all", what, value, unit);
                Row("time of a put, median", result.MedianNanos / 1e6, "ms");
                Row("time of a put, of 99 in 100", result.LateNanos / 1e6, "ms");
                Row("puts", result.Puts, "puts");
                Row("answers other than done", result.Failed, "puts");
                Row("segments compacted", result.Segments, "segments");
                Row("most bytes of a log / bytes needed", result.MostOfNeeded, "");
            }

            run.Show($"{name}: time of a put, of 99 in 100", with.LateNanos / 1e6, "ms");
            run.CheckTimed(
                $"{name}: segments compacted",
                with.Segments,
                Limit.AtLeast(run.ByScale(1, 10, 40)),
                "segments"
            );
            run.Check($"{name}: segments compacted, new keys", without.Segments, Limit.Exactly(0), "segments");
            run.CheckTimed(
                $"{name}: time of a put of 99 in 100 / the same without compaction",
                with.LateNanos / (double)without.LateNanos,
                Limit.AtMost(AskedOfTime)
            );

            // The shortest run ends when compaction has hardly begun: 2.04 was measured there.
            run.CheckTimed($"{name}: most bytes of a log / bytes needed", with.MostOfNeeded, Limit.AtMost(AskedOfDisk));
        }

        run.Note(
            FormattableString.Invariant(
                $"compaction: 3 servers, disks of flash, values of {CompactionExperiment.Length >> 10} KiB, {keys} "
            ) + "keys of each client, files of 4 MiB; how long a loop is busy is not seen in virtual time."
        );
    }
}
