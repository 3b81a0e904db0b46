using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>A figure's checks for people: the paper's value, the expected one and the measured one side by
/// side.</summary>
internal static class FigureReport
{
    /// <summary>Prints them.</summary>
    public static void Print(Report report, FigureResult result)
    {
        report.Line($"{result.Figure}: {result.Title}");
        report.Line(
            $"  {result.Paper}; {result.Scale.ToString().ToLowerInvariant()}, seed {result.Seed}, "
                + $"{Report.Decimal(result.CpuSeconds, 1)} s of CPU"
        );
        if (result.Partial)
        {
            report.Line("  PARTIAL: ended before it was complete.");
        }

        Table table = Report.Table("check", ">paper", ">expected", ">measured", "unit", ">asked", "result");
        foreach (FigureCheck check in result.Checks)
        {
            string asked = check.Limit?.ToString() ?? "-";
            Report.Row(
                table,
                check.What,
                Numbers.Short(check.Paper),
                Numbers.Short(check.Expected),
                Numbers.Short(check.Measured),
                check.Unit,
                asked,
                WordOf(check.Outcome)
            );
        }

        report.Print(table);
        if (result.Checks.Any(check => check.Outcome == CheckOutcome.NotMade))
        {
            report.Line($"  not made: {result.Scale.ToString().ToLowerInvariant()} is too small for it.");
        }

        foreach (string note in result.Notes)
        {
            report.Line($"  {note}");
        }

        report.Line("");
    }

    private static string WordOf(CheckOutcome outcome) =>
        outcome switch
        {
            CheckOutcome.Passed => "pass",
            CheckOutcome.Failed => "FAIL",
            CheckOutcome.Shown => "shown",
            _ => "not made",
        };
}
