using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>Jobs that distribute files, for people.</summary>
internal static class DistributionText
{
    private const double Percent = 100;

    /// <summary>How far a job is, in one line.</summary>
    public static string Line(DistributionJobAnswer job)
    {
        DistributionMemberAnswer[] open = [.. job.Members.Where(static member => member.State != "done")];
        string slowest =
            job.State == "preparing" ? "reading the file"
            : open.MinBy(static member => member.Bytes) is { } last
                ? $"{last.Server} is at {Share(job, last.Bytes)} ({last.Words ?? last.State})"
            : "";
        return $"{job.Name}: {job.Done} of {job.Members.Count} have it; {slowest}";
    }

    /// <summary>One job, with its members.</summary>
    public static void Show(Report report, DistributionJobAnswer job)
    {
        Table table = Report.Table("server", "state", ">bytes", ">seconds", ">rate", "");
        foreach (DistributionMemberAnswer member in job.Members)
        {
            Report.Row(
                table,
                member.Server,
                member.State,
                Report.Count(member.Bytes),
                Report.Decimal(member.Seconds, 3),
                StreamText.Rate(member.RateBitsPerSecond),
                member.Words ?? ""
            );
        }

        report.Print(table);
        string trees = job.Trees == 1 ? "1 tree" : $"{job.Trees} trees";
        report.Line(
            $"{job.Name}, {new ByteCount(job.Bytes)}, to {job.Members.Count} servers along {trees} in "
                + $"{Report.Decimal(job.Seconds, 3)} s: {job.State}{(job.Words is { } words ? $" ({words})" : "")}"
        );
    }

    /// <summary>All jobs.</summary>
    public static void Show(Report report, IReadOnlyList<(string Server, DistributionJobAnswer Job)> jobs)
    {
        if (jobs.Count == 0)
        {
            report.Line("No server of this host has begun a job.");
            return;
        }

        Table table = Report.Table("job", "file", "from", "state", ">bytes", ">seconds", ">have it", "");
        foreach ((string server, DistributionJobAnswer job) in jobs)
        {
            Report.Row(
                table,
                job.Id,
                job.Name,
                server,
                job.State,
                Report.Count(job.Bytes),
                Report.Decimal(job.Seconds, 3),
                $"{job.Done} of {job.Members.Count}",
                job.Words ?? ""
            );
        }

        report.Print(table);
    }

    private static string Share(DistributionJobAnswer job, long bytes) =>
        $"{Report.Decimal(job.Bytes == 0 ? Percent : Percent * bytes / job.Bytes, 0)} %";
}
