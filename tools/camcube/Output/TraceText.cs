using CamCube.Tool.Hosts;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>A trace as text.</summary>
internal static class TraceText
{
    /// <summary>Prints it.</summary>
    /// <param name="report">Where to.</param>
    /// <param name="answer">The trace.</param>
    /// <param name="isOneClock">Whether all servers have the same clock, so that times may be subtracted.</param>
    public static void Show(Report report, TraceAnswer answer, bool isOneClock)
    {
        string of = answer.Service is null ? "" : $", service {answer.Service}";
        report.Line($"from {answer.From} to {answer.To}{of}");
        if (answer.Hops.Length > 0)
        {
            report.Print(Rows(answer, isOneClock));
        }

        report.Line(EndOf(answer));
    }

    /// <summary>How it ended, in a line.</summary>
    public static string EndOf(TraceAnswer answer)
    {
        if (answer.Hops is not [.., var last])
        {
            return answer.End switch
            {
                "noRoute" => $"server {answer.Asked} knows no way to {answer.From}: it is off, or cut off.",
                "noBuffer" => $"server {answer.Asked} has no room for another packet now; try again.",
                _ => $"no answer, not even from {answer.From}, where the way begins.",
            };
        }

        string back = answer.RoundTripMicros is { } micros
            ? $"; back at {answer.Asked} after {Report.Decimal(micros, 1)} us"
            : "";
        int hops = answer.Hops.Length - 1;
        return answer.End switch
        {
            "arrived" => $"arrived after {hops} {(hops == 1 ? "hop" : "hops")}{back}",
            "noRoute" => $"server {last.Server} knows no way to {answer.To}: it is off, or cut off.",
            "tooLong" => $"it had not arrived when the trace was full, after {hops} hops.",
            "noBuffer" => $"server {answer.Asked} has no room for another packet now; try again.",
            _ => $"no answer: it came up to {last.Server}, which sends on by {LinksOf(last)}; "
                + "nothing from behind it came back.",
        };
    }

    private static Table Rows(TraceAnswer answer, bool isOneClock)
    {
        Table table = isOneClock
            ? Report.Table(">hop", "server", "in", "out", "one of", ">clock s", ">us since", ">queued", "verdict")
            : Report.Table(">hop", "server", "in", "out", "one of", ">its clock s", ">queued", "verdict");
        for (int i = 0; i < answer.Hops.Length; i++)
        {
            TraceHopAnswer hop = answer.Hops[i];
            string[] times = [Report.Decimal(hop.Nanos / 1e9, 6)];
            if (isOneClock)
            {
                times = [.. times, Report.Decimal((hop.Nanos - answer.Hops[0].Nanos) / 1e3, 1)];
            }

            string verdict = hop.Verdict == "ended" ? "would forward" : hop.Verdict;
            string[] row = [$"{i}", hop.Server, hop.In ?? "-", hop.Out ?? "-", LinksOf(hop), .. times];
            Report.Row(table, [.. row, Report.Count(hop.Queued), VerdictOf(verdict, hop, answer.Service)]);
        }

        return table;
    }

    private static string LinksOf(TraceHopAnswer hop) => hop.Links.Length == 0 ? "-" : string.Join(' ', hop.Links);

    private static string VerdictOf(string verdict, TraceHopAnswer hop, string? service) =>
        hop.RunsService == false ? $"{verdict}; {service} does not run here" : verdict;
}
