using CamCube.Experiments.Figures;
using CamCube.Experiments.KeyValues;
using CamCube.Runtime.Core;
using CamCube.Services.KeyValue;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>A server gets an empty disk; is lost for so long that others take its part; is back before that.</summary>
internal static class RecoveryPart
{
    private const int Links = 6;
    private const double Asked = 0.8;
    private const int AskedServers = 8;
    private const double AskedWorst = 2;
    private const double AskedRate = 0.5;
    private const double AskedMoved = 0.015;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        int values = run.ByScale(28, 700, 2_800);
        Empty(run, values, detection, report);
        Lost(run, values, detection, report);
        Back(run, values, detection, report);
    }

    private static void Empty(FigureRun run, int values, TimeSpan detection, Action<double, string> report)
    {
        RecoveryResult result = RecoveryExperiment.Run(
            values,
            InsertExperiment.Length,
            false,
            run.Options.Seed,
            detection,
            () => report(0, "an empty disk")
        );
        const string What = "an empty disk";
        Row(run, What, "time until it fetches", result.BeginNanos / 1e9, "s");
        Row(run, What, "time", result.Nanos / 1e9, "s");
        Row(run, What, "bytes", result.Bytes, "bytes");
        Row(run, What, "rate", result.Links, "links");
        run.CheckTimed(
            "an empty disk: rate of the fetch",
            result.Links,
            Limit.AtLeast(Asked * Links),
            "links",
            null,
            Links
        );
        run.Note(
            FormattableString.Invariant(
                $"recovery: {values} values of 1.47 MB, {values * 1.47 / 1000:F2} GB, all of them on the server that "
            ) + "comes back; the rate counts from the first megabyte that comes to the last group that it leads again."
        );
    }

    // Others take its part while clients are served.
    private static void Lost(FigureRun run, int values, TimeSpan detection, Action<double, string> report)
    {
        var options = new KeyValueOptions { ReplicateAfter = TimeSpan.FromSeconds(run.ByScale(4, 20, 180)) };
        ReplacementResult result = ReplacementExperiment.RunLost(
            values,
            InsertExperiment.Length,
            options,
            run.Options.Seed,
            detection,
            () => report(0.4, "lost for long")
        );
        string what = $"lost for {options.ReplicateAfter.TotalSeconds} s";
        Row(run, what, "time", result.Nanos / 1e9, "s");
        Row(run, what, "bytes", result.Bytes, "bytes");
        Row(run, what, "clients before, median", result.Before.MedianNanos / 1e3, "us");
        Row(run, what, "clients before, p99", result.Before.WorstNanos / 1e3, "us");
        Row(run, what, "clients meanwhile, median", result.Meanwhile.MedianNanos / 1e3, "us");
        Row(run, what, "clients meanwhile, p99", result.Meanwhile.WorstNanos / 1e3, "us");
        Row(run, what, "clients that failed", result.Failed, "operations");
        run.Check("lost for long: sources", result.Sources, Limit.AtLeast(AskedServers), "servers");
        run.Check("lost for long: sinks", result.Sinks, Limit.AtLeast(AskedServers), "servers");
        run.CheckTimed(
            "lost for long: clients' p99 meanwhile / before",
            (double)result.Meanwhile.WorstNanos / result.Before.WorstNanos,
            Limit.AtMost(AskedWorst),
            ""
        );
        run.CheckTimed(
            "lost for long: clients' operations per second meanwhile / before",
            result.Meanwhile.PerSecond / result.Before.PerSecond,
            Limit.AtLeast(AskedRate),
            ""
        );
        run.Note(
            FormattableString.Invariant(
                $"recovery, lost for long: clients of all servers put and read 4 KB each 2 ms; servers fetch at most "
            ) + FormattableString.Invariant($"{options.RecoveryRate / 1e6:F1} MB/s each then (RecoveryRate).")
        );
    }

    // It is back with its disk, and a hundredth has changed.
    private static void Back(FigureRun run, int values, TimeSpan detection, Action<double, string> report)
    {
        int changed = Math.Max(1, values / 100);
        var away = TimeSpan.FromSeconds(run.ByScale(4, 20, 170));
        (long bytes, long nanos) = ReplacementExperiment.RunBack(
            values,
            changed,
            InsertExperiment.Length,
            away,
            run.Options.Seed,
            detection,
            () => report(0.8, "back")
        );
        string what = $"back after {away.TotalSeconds} s";
        double moved = bytes / ((double)values * InsertExperiment.Length);
        Row(run, what, "time", nanos / 1e9, "s");
        Row(run, what, "bytes", bytes, "bytes");
        const string Moved = "back, 1 % changed: bytes that came / bytes that it has";
        if (100 * changed == values)
        {
            run.Check(Moved, moved, Limit.AtMost(AskedMoved), "");
        }
        else
        {
            run.NotMade(Moved, Limit.AtMost(AskedMoved), "");
        }
    }

    private static void Row(FigureRun run, string series, string what, double value, string unit) =>
        ValueRows.Add(run, "recovery", series, "all", what, value, unit);
}
