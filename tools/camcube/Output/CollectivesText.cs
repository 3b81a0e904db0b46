using CamCube.Tool.Hosts;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>Groups and measurements of collective operations, for people.</summary>
internal static class CollectivesText
{
    private const double Mega = 1e6;
    private const double Micro = 1e6;

    /// <summary>How far a measurement is, in one line.</summary>
    public static string Line(BenchAnswer bench) =>
        bench.Sizes.Count == 0
            ? $"{bench.Operation} of {bench.Members} members: the first size"
            : $"{bench.Operation} of {bench.Members} members: beyond {Report.Bytes(bench.Sizes[^1].Bytes)}";

    /// <summary>A measurement, as NCCL's tests show theirs.</summary>
    public static void Show(Report report, BenchAnswer bench)
    {
        Table table = Report.Table(
            ">bytes",
            ">count",
            "type",
            "operator",
            ">time (us)",
            ">algbw (MB/s)",
            ">busbw (MB/s)",
            ">wrong"
        );
        foreach (BenchSizeAnswer size in bench.Sizes)
        {
            Report.Row(
                table,
                Report.Count(size.Bytes),
                Report.Count(size.Count),
                bench.Type,
                bench.Operator,
                Report.Decimal(size.Seconds * Micro, 1),
                Report.Decimal(size.AlgorithmBytesPerSecond / Mega, 1),
                Report.Decimal(size.BusBytesPerSecond / Mega, 1),
                Report.Count(size.Wrong)
            );
        }

        report.Print(table);
        string rounds = bench.Rounds == 1 ? "1 round" : $"{Report.Count(bench.Rounds)} rounds";
        double mean = bench.Sizes.Count == 0 ? 0 : bench.Sizes.Average(static size => size.BusBytesPerSecond) / Mega;
        report.Line(
            $"{bench.Operation} of {bench.Members} members, {rounds} of each size; mean busbw "
                + $"{Report.Decimal(mean, 1)} MB/s; {Report.Count(bench.Wrong)} wrong"
        );
    }

    /// <summary>Groups of servers.</summary>
    public static void Show(Report report, IReadOnlyList<(string Server, CollectiveGroupAnswer Group)> groups)
    {
        if (groups.Count == 0)
        {
            report.Line("No group is open.");
            return;
        }

        Table table = Report.Table(
            "server",
            "group",
            ">members",
            ">rank",
            ">done",
            ">waiting",
            ">bytes",
            "state",
            "why it ended"
        );
        foreach ((string server, CollectiveGroupAnswer group) in groups)
        {
            Report.Row(
                table,
                server,
                group.Name,
                Report.Count(group.Members),
                Report.Count(group.Rank),
                Report.Count(group.Done),
                Report.Count(group.Waiting),
                Report.Count(group.Bytes),
                group.State,
                group.Words ?? ""
            );
        }

        report.Print(table);
    }
}
