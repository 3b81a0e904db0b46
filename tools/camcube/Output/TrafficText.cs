using CamCube.Tool.Hosts;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>Streams and messages of a host, for people.</summary>
internal static class TrafficText
{
    /// <summary>A table of the services with streams, if there are any, and a line about messages.</summary>
    public static void Show(Report report, HostTraffic traffic)
    {
        if (traffic.Streams.Count > 0)
        {
            Table table = Report.Table(
                "streams of",
                ">open",
                ">connections",
                ">bytes sent",
                ">packets lost",
                ">marked",
                ">credit",
                ">memory"
            );
            foreach (HostStreams streams in traffic.Streams)
            {
                Report.Row(
                    table,
                    streams.Service,
                    Report.Count(streams.Open),
                    Report.Count(streams.Connections),
                    Report.Count(streams.Bytes),
                    Report.Count(streams.Lost),
                    Report.Count(streams.Marked),
                    Report.Bytes(streams.CreditGranted),
                    Report.Bytes(streams.MemoryHeld)
                );
            }

            report.Print(table);
        }

        if (traffic.Messenger is { } messenger)
        {
            report.Line(
                $"messenger: {Report.Count(messenger.Endpoints)} endpoints, "
                    + $"{Report.Count(messenger.Received)} messages received, "
                    + $"{Report.Count(messenger.Dropped)} dropped, {Report.Count(messenger.Windows)} windows posted"
            );
        }
    }
}
