using CamCube.Services.Camdoop;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>Jobs of MapReduce, for people.</summary>
internal static class CamdoopText
{
    /// <summary>One job.</summary>
    public static void Show(Report report, JobState job)
    {
        Table table = Report.Table("", ">tasks", ">running", ">done", ">failed attempts", ">lost");
        Add(table, "map", job.Maps);
        Add(table, "reduce", job.Reduces);
        report.Print(table);
        string title = job.Title.Length > 0 ? $" ({job.Title})" : "";
        report.Line(
            $"{job.Name}{title}, to {job.Output}: {Word(job)} after "
                + $"{Report.Decimal(job.Elapsed.TotalSeconds, 1)} s{(job.Words is { } words ? $": {words}" : "")}"
        );
    }

    /// <summary>All jobs.</summary>
    public static void Show(Report report, IReadOnlyList<JobState> jobs)
    {
        if (jobs.Count == 0)
        {
            report.Line("The cube knows no job.");
            return;
        }

        Table table = Report.Table("job", "name", "output", "state", ">seconds", ">maps", ">reduces", "");
        foreach (JobState job in jobs)
        {
            Report.Row(
                table,
                job.Name,
                job.Title,
                job.Output,
                Word(job),
                Report.Decimal(job.Elapsed.TotalSeconds, 1),
                $"{Report.Count(job.Maps.Done)} of {Report.Count(job.Maps.All)}",
                $"{Report.Count(job.Reduces.Done)} of {Report.Count(job.Reduces.All)}",
                job.Words ?? ""
            );
        }

        report.Print(table);
    }

    /// <summary>A job's counters.</summary>
    public static void ShowCounters(Report report, JobState job)
    {
        Table table = Report.Table("group", "counter", ">value");
        foreach (JobCounter counter in job.Counters)
        {
            Report.Row(table, counter.Group, counter.Name, Report.Count(counter.Value));
        }

        report.Print(table);
    }

    /// <summary>What went wrong in a job, with what its programs said.</summary>
    public static void ShowFailures(Report report, JobState job)
    {
        if (job.Failures.Count == 0)
        {
            report.Line($"No attempt of {job.Name} has failed.");
        }

        foreach (AttemptFailure failure in job.Failures)
        {
            report.Line($"{failure.Attempt} at {failure.Server}: {failure.Words}");
            foreach (string line in failure.ErrorText.TrimEnd('\n').Split('\n'))
            {
                if (line.Length > 0)
                {
                    report.Line($"  | {line}");
                }
            }
        }
    }

    /// <summary>What a job does, in a word.</summary>
    public static string Word(JobState job) =>
        job.Phase switch
        {
            JobPhase.Planning => "planning",
            JobPhase.Mapping => "mapping",
            JobPhase.Reducing => "reducing",
            JobPhase.Committing => "naming its output",
            JobPhase.Done => "done",
            JobPhase.Failed => "failed",
            _ => "cancelled",
        };

    private static void Add(Table table, string name, TaskCounts tasks) =>
        Report.Row(
            table,
            name,
            Report.Count(tasks.All),
            Report.Count(tasks.Running),
            Report.Count(tasks.Done),
            Report.Count(tasks.Failed),
            Report.Count(tasks.Lost)
        );
}
