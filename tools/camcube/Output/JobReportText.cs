using CamCube.Services.Camdoop;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>What a job has cost, for people.</summary>
internal static class JobReportText
{
    private const int ShownLinks = 6;

    /// <summary>The report.</summary>
    public static void Show(Report report, JobReport job)
    {
        string title = job.Title.Length > 0 ? $" ({job.Title})" : "";
        report.Line($"{job.Name}{title}: {Words(job.Phase)} after {Seconds(job.Elapsed)}");
        ShowTimes(report, job);
        ShowBytes(report, job);
        ShowTasks(report, job);
        ShowLinks(report, job);
        ShowKeys(report, job);
        foreach (string missing in job.Missing)
        {
            report.Line($"Not in it: {missing}.");
        }
    }

    private static void ShowTimes(Report report, JobReport job)
    {
        Table table = Report.Table("phase", ">time");
        Report.Row(table, "planning", Seconds(job.Times.Planning));
        Report.Row(table, "mapping", Seconds(job.Times.Mapping));
        Report.Row(table, "reducing", Seconds(job.Times.Reducing));
        Report.Row(table, "naming its output", Seconds(job.Times.Committing));
        report.Print(table);
    }

    private static void ShowBytes(Report report, JobReport job)
    {
        JobBytes bytes = job.Bytes;
        Table table = Report.Table("bytes", ">count", "");
        Report.Row(table, "input", Report.Count(bytes.Input), "");
        Report.Row(table, "emitted", Report.Count(bytes.Emitted), "");
        Report.Row(table, "intermediate", Report.Count(bytes.Intermediate), PerCent(bytes.Intermediate, bytes.Emitted));
        Report.Row(table, "on cables", Report.Count(bytes.Sent), PerCent(bytes.Sent, bytes.Unaggregated));
        Report.Row(table, "the same, without aggregation", Report.Count(bytes.Unaggregated), "");
        Report.Row(table, "by other ways", Report.Count(bytes.Detoured), "");
        Report.Row(table, "taken by reduces", Report.Count(bytes.Reduced), "");
        Report.Row(table, "output", Report.Count(bytes.Output), "");
        report.Print(table);
        if (job.OutputRatio is { } ratio)
        {
            report.Line($"S, output for each intermediate byte: {Report.Decimal(ratio, 4)}");
        }
    }

    private static void ShowTasks(Report report, JobReport job)
    {
        Table table = Report.Table("", ">tasks", ">attempts", ">failed", ">lost");
        AddAttempts(table, "map", job.Maps);
        AddAttempts(table, "reduce", job.Reduces);
        report.Print(table);
        report.Line($"Pulls: {Report.Count(job.Pulls)}, of these again: {Report.Count(job.RePulls)}");
        if (job.MapSkew is null && job.ReduceSkew is null)
        {
            return;
        }

        Table skew = Report.Table("", "task", "server", ">time", ">bytes in", ">bytes out");
        AddSkew(skew, "map", job.MapSkew);
        AddSkew(skew, "reduce", job.ReduceSkew);
        report.Print(skew);
    }

    private static void AddAttempts(Table table, string name, JobAttempts tasks) =>
        Report.Row(
            table,
            name,
            Report.Count(tasks.Tasks),
            Report.Count(tasks.All),
            Report.Count(tasks.Failed),
            Report.Count(tasks.Lost)
        );

    private static void AddSkew(Table table, string kind, TaskSkew? skew)
    {
        if (skew is not null)
        {
            AddTask(table, $"heaviest {kind}", skew.Heaviest);
            AddTask(table, $"lightest {kind}", skew.Lightest);
            AddTask(table, $"slowest {kind}", skew.Slowest);
        }
    }

    private static void AddTask(Table table, string name, TaskLoad task) =>
        Report.Row(
            table,
            name,
            task.Task,
            task.Server.ToString(),
            Seconds(task.Took),
            Report.Count(task.Input),
            Report.Count(task.Output)
        );

    private static void ShowLinks(Report report, JobReport job)
    {
        if (job.Links.Count == 0)
        {
            return;
        }

        Table table = Report.Table("fullest cables", ">bytes", ">without aggregation");
        foreach (LinkLoad load in job.Links.OrderByDescending(static l => l.Sent).Take(ShownLinks))
        {
            Report.Row(
                table,
                $"{load.Server} {load.Link.Name()}",
                Report.Count(load.Sent),
                Report.Count(load.Unaggregated)
            );
        }

        report.Print(table);
    }

    private static void ShowKeys(Report report, JobReport job)
    {
        if (job.Keys is not { } keys)
        {
            return;
        }

        if (keys.Heaviest.Count > 0)
        {
            Table table = Report.Table("heaviest keys", ">pairs", ">of all", ">bytes");
            foreach (HeavyKey key in keys.Heaviest)
            {
                string pairs =
                    key.AtLeast == key.AtMost
                        ? Report.Count(key.AtLeast)
                        : $"{Report.Count(key.AtLeast)} to {Report.Count(key.AtMost)}";
                Report.Row(table, key.Key, pairs, PerCent(key.AtMost, keys.Pairs), Report.Count(key.Length));
            }

            report.Print(table);
        }

        report.Line(
            $"Of {Report.Count(keys.Pairs)} pairs no other key has more than {Report.Count(keys.Error)}"
                + (keys.Heaviest.Count == JobReport.MostKeys ? ", or than the last of these." : ".")
        );
    }

    private static string PerCent(long part, long all) => all > 0 ? $"{Report.Decimal(100.0 * part / all, 1)} %" : "";

    private static string Seconds(TimeSpan? time) =>
        time is { } span ? $"{Report.Decimal(span.TotalSeconds, 3)} s" : "";

    private static string Words(JobPhase phase) => CamdoopText.Word(new JobState("", phase));
}
