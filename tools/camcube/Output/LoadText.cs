using System.Globalization;
using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;
using CamCube.Loads.Runs;
using CamCube.Loads.Settings;
using CamCube.Tool.Hosts;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>What came of a load, in words.</summary>
internal static class LoadText
{
    /// <summary>The line that says how far it is.</summary>
    public static string Progress(LoadPhase phase, LoadOptions load, LoadSecond now)
    {
        long all = phase == LoadPhase.Run ? load.Operations : load.Records;
        string of = all > 0 ? $" of {Report.Count(all)}" : "";
        string rate = now.Seconds > 0 ? Report.Count((long)(now.Done / now.Seconds)) : "0";
        string failed = now.Failed > 0 ? $", {Report.Count(now.Failed)} failed" : "";
        return $"{NameOf(phase)}: {now.Seconds, 5:0.0} s, {Report.Count(now.Done)}{of} done, {rate}/s{failed}";
    }

    /// <summary>Reads that brought something else than belongs to their key.</summary>
    public static long Wrong(IEnumerable<LoadPhaseResult> results) =>
        results.SelectMany(static one => one.Rows).Sum(static row => row.Errors.GetValueOrDefault("wrong"));

    /// <summary>All in one line of JSON.</summary>
    public static string Json(
        LoadOptions load,
        LoadTarget target,
        IReadOnlyList<LoadEndpoint> endpoints,
        IReadOnlyList<LoadPhaseResult> results
    ) =>
        ToolJson.Of(
            new
            {
                Target = WordOf(target),
                Endpoints = endpoints.Select(static one => one.ToString()).ToArray(),
                Workload = load.Workload.Name,
                Mix = load.Workload.Mix.ToString(),
                Keys = load.Workload.Distribution.ToString().ToLowerInvariant(),
                load.Records,
                ValueBytes = load.ValueLength,
                load.Connections,
                load.Pipeline,
                load.Rate,
                load.Seed,
                Phases = results
                    .Select(static one => new
                    {
                        Phase = NameOf(one.Phase),
                        one.Seconds,
                        one.Tally.Done,
                        one.Tally.Failed,
                        PerSecond = one.Tally.Done / Math.Max(one.Seconds, 1e-9),
                        one.Late,
                        Operations = one.Rows,
                    })
                    .ToArray(),
            }
        );

    /// <summary>A table for each phase.</summary>
    public static void Print(
        Report report,
        LoadOptions load,
        LoadTarget target,
        IReadOnlyList<LoadEndpoint> endpoints,
        IReadOnlyList<LoadPhaseResult> results
    )
    {
        report.Line($"{WordOf(target)} at {string.Join(", ", endpoints)}");
        report.Line(
            $"{Report.Count(load.Records)} records of "
                + $"{Report.Count(load.ValueLength)} bytes, workload {load.Workload.Name} ({load.Workload.Mix}, "
                + $"{load.Workload.Distribution.ToString().ToLowerInvariant()}), {load.Connections} connections, "
                + $"{load.Pipeline} at a time on each"
        );
        foreach (LoadPhaseResult one in results)
        {
            report.Line(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{NameOf(one.Phase)}: {one.Seconds:0.00} s, {one.Tally.Done:N0} done, "
                        + $"{one.Tally.Done / Math.Max(one.Seconds, 1e-9):N0}/s"
                )
            );
            report.Print(TableOf(one.Rows));
            Faults(report, one);
        }
    }

    /// <summary>A phase as it is written.</summary>
    public static string NameOf(LoadPhase phase) => phase.ToString().ToLowerInvariant();

    /// <summary>A target as it is written.</summary>
    public static string WordOf(LoadTarget target) => target.ToString().ToLowerInvariant();

    /// <summary>A row for each kind of operation; times in microseconds.</summary>
    public static Table TableOf(IReadOnlyList<OperationRow> rows)
    {
        Table table = Report.Table(
            "operation",
            ">count",
            ">per s",
            ">mean us",
            ">p50",
            ">p95",
            ">p99",
            ">p99.9",
            ">max",
            ">failed"
        );
        foreach (OperationRow row in rows)
        {
            Report.Row(
                table,
                row.Operation,
                Report.Count(row.Count),
                Report.Count((long)Math.Round(row.PerSecond)),
                Micros(row.MeanMicros),
                Micros(row.P50Micros),
                Micros(row.P95Micros),
                Micros(row.P99Micros),
                Micros(row.P999Micros),
                Micros(row.MaxMicros),
                Report.Count(row.Errors.Values.Sum())
            );
        }

        return table;
    }

    private static string Micros(double micros) =>
        micros.ToString(micros < 100 ? "0.0" : "N0", CultureInfo.InvariantCulture);

    private static void Faults(Report report, LoadPhaseResult one)
    {
        foreach (OperationRow row in one.Rows)
        {
            foreach ((string error, long count) in row.Errors)
            {
                report.Line($"{row.Operation}: {Report.Count(count)} ended with {error}");
            }
        }

        if (one.Late > 0)
        {
            report.Line($"{Report.Count(one.Late)} were not begun until the end: all connections were busy");
        }

        if (one.IsGone)
        {
            report.Line("ended early: no server was there any more");
        }
    }
}
