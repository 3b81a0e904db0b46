using CamCube.Experiments.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>SIGCOMM Fig. 6 on cables: what extended routing costs (R6 of the design).</summary>
internal static class RoutedVerdict
{
    /// <summary>Keys of which the limits speak.</summary>
    private const int Asked = 3;

    // SIGCOMM Fig. 6: CPU load in per cent of base routing and of |K| = 3, and the loss of throughput.
    private const double PaperBase = 22.01,
        PaperThree = 25.35,
        PaperLoss = 0.9;

    /// <summary>Compares the medians of all rounds with base routing's.</summary>
    /// <param name="run">The run.</param>
    /// <param name="rounds">Every round of every way of routing, base routing among them.</param>
    public static void Check(FigureRun run, IReadOnlyList<RoutedLoad> rounds)
    {
        int most = rounds.Max(round => round.Keys);
        double[] packets =
        [
            .. Enumerable
                .Range(0, most + 1)
                .Select(keys => Medians.Of(Of(keys).Select(round => round.PacketsPerSecond))),
        ];
        double[] nanos =
        [
            .. Enumerable.Range(0, most + 1).Select(keys => Medians.Of(Of(keys).Select(round => round.NanosPerPacket))),
        ];
        Plot plot = run.Add(
            new Plot(
                "Extended routing (SIGCOMM Fig. 6), as parts of base routing",
                new PlotAxis("")
                {
                    Names =
                    [
                        .. Enumerable.Range(0, most + 1).Select(keys => keys == 0 ? "base routing" : $"|K| = {keys}"),
                    ],
                },
                new PlotAxis("part of base routing") { Least = 0 }
            )
        );
        Series rate = plot.Add("packets per second", SeriesKind.Bars),
            cpu = plot.Add("CPU time per packet", SeriesKind.Bars);
        for (int keys = 0; keys <= most; keys++)
        {
            string name = keys == 0 ? "base routing" : $"F, {keys} keys";
            rate.Add(keys, packets[keys] / packets[0]);
            cpu.Add(keys, nanos[keys] / nanos[0]);
            ValueRows.Add(run, "R6", name, $"|K| = {keys}", "packets per cable", packets[keys], "1/s");
            ValueRows.Add(run, "R6", name, $"|K| = {keys}", "CPU time per packet and hop", nanos[keys], "ns");
        }

        for (int keys = 1; keys < most; keys++)
        {
            run.Show($"R6: |K| = {keys}, loss of throughput", Loss(keys), "%");
            run.Show($"R6: |K| = {keys}, CPU per packet / base routing", nanos[keys] / nanos[0]);
        }

        Limit loss = Limit.AtMost(3),
            more = Limit.AtMost(1.3);
        if (most == Asked)
        {
            plot.Add("paper, CPU", SeriesKind.Marks, SeriesRole.Paper).Add(Asked, PaperThree / PaperBase);
            run.CheckTimed($"R6: |K| = {Asked}, loss of throughput", Loss(Asked), loss, "%", PaperLoss);
            run.CheckTimed(
                $"R6: |K| = {Asked}, CPU per packet / base routing",
                nanos[Asked] / nanos[0],
                more,
                "",
                PaperThree / PaperBase
            );
        }
        else
        {
            run.NotMade($"R6: |K| = {Asked}, loss of throughput", loss, "%", PaperLoss);
            run.NotMade($"R6: |K| = {Asked}, CPU per packet / base routing", more, "", PaperThree / PaperBase);
        }

        IEnumerable<RoutedLoad> Of(int keys) => rounds.Where(round => round.Keys == keys);
        double Loss(int keys) => 100 * (1 - (packets[keys] / packets[0]));
    }
}
