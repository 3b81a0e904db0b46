using System.Globalization;
using CamCube.Tool.Hosts;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>What became of measured streams, for people.</summary>
internal static class StreamText
{
    /// <summary>A table of the paths, and a line below it.</summary>
    public static void Show(Report report, StreamAnswer answer)
    {
        report.Line($"from {answer.From} to {answer.To}");
        Table table = Report.Table("link", ">bytes", ">lost", ">marked", ">window", ">round trip us");
        foreach (StreamPathAnswer path in answer.Paths)
        {
            Report.Row(
                table,
                path.Link,
                Report.Count(path.Bytes),
                Report.Count(path.Lost),
                Report.Count(path.Marked),
                Report.Decimal(path.Window, 1),
                Report.Decimal(path.RoundTripMicros, 1)
            );
        }

        report.Print(table);
        string streams = answer.Streams.Length == 1 ? "1 stream" : $"{Report.Count(answer.Streams.Length)} streams";
        report.Line(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{streams}, {answer.Bytes:N0} bytes in {answer.Seconds:F3} s: {Rate(answer.GoodputBitsPerSecond)}; "
                    + $"{answer.End}"
            )
        );
        int same = answer.Streams.Count(s => s.Sha256 is not null);
        if (same > 0)
        {
            report.Line($"{same} of {streams} read as written, by SHA-256");
        }

        if (answer.Streams.Length > 1)
        {
            double[] rates = [.. answer.Streams.Select(s => s.Seconds > 0 ? s.Bytes * 8 / s.Seconds : 0)];
            report.Line($"each: least {Rate(rates.Min())}, mean {Rate(rates.Average())}, most {Rate(rates.Max())}");
        }
    }

    /// <summary>Bits per second in the unit that fits.</summary>
    public static string Rate(double bits) =>
        bits switch
        {
            >= 1e9 => Text(bits / 1e9, "Gbit/s"),
            >= 1e6 => Text(bits / 1e6, "Mbit/s"),
            _ => Text(bits / 1e3, "kbit/s"),
        };

    private static string Text(double number, string unit) => $"{Report.Decimal(number, 2)} {unit}";
}
