using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Figures;

/// <summary>HPDC Fig. 6(c): rates while a third of a cube's servers fails, one after the other.</summary>
internal static class FailureRates
{
    /// <summary>Servers that fail in the paper.</summary>
    public const int Failing = 9;

    private const double InPaper = 1 - 0.3885;

    /// <summary>Draws the rates, and checks the last one beside the first.</summary>
    /// <param name="run">The run.</param>
    /// <param name="part">The part of the figure.</param>
    /// <param name="points">Servers that had failed, and bits per second, at points in time.</param>
    /// <param name="lost">Ranks of servers of a cube of 3x3x3 that failed; the check is made with <see cref="Failing"/>
    /// only.</param>
    /// <param name="interval">Between two of them.</param>
    /// <param name="asked">At least so much of the rate before.</param>
    /// <returns>The rate before, in bits per second.</returns>
    public static double Show(
        FigureRun run,
        string part,
        IReadOnlyList<(double Seconds, int Failed, double BitsPerSecond)> points,
        IReadOnlyList<int> lost,
        TimeSpan interval,
        double asked
    )
    {
        Plot plot = run.Add(
            new Plot(
                $"Failures: a server fails every {interval.TotalSeconds} s",
                new PlotAxis("time", "s") { Least = 0 },
                new PlotAxis("put", "Gbit/s") { Least = 0 }
            )
        );
        Series series = plot.Add("measured", SeriesKind.Line);
        foreach ((double seconds, int failed, double rate) in points)
        {
            series.Add(seconds, rate / 1e9);
            ValueRows.Add(run, part, $"{failed} failed", $"{seconds} s", "rate", rate / 1e9, "Gbit/s");
        }

        double Last(int failed) =>
            points.Where(p => p.Failed == failed).TakeLast(2).Average(static p => p.BitsPerSecond);
        double whole = Last(0);
        const string What = "rate with 9 of 27 servers lost / rate before";
        if (lost.Count == Failing)
        {
            run.Check(What, Last(Failing) / whole, Limit.AtLeast(asked), "", InPaper);
            run.Show("the same of what links can carry at most, closed form", LinkRoom.Without(new(3, 3, 3), lost), "");
        }
        else
        {
            run.NotMade(What, Limit.AtLeast(asked), "", InPaper);
        }

        return whole;
    }
}
