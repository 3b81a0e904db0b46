using CamCube.Experiments.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>HPDC §3.3: services share a link by their weights (C10 of the design).</summary>
internal static class SharingVerdict
{
    private const double Apart = 0.05;

    /// <summary>Shows the shares and checks each.</summary>
    public static void Check(FigureRun run, IReadOnlyList<ServiceShare> shares)
    {
        Plot plot = run.Add(
            new Plot(
                "Shares of a full link (HPDC section 3.3)",
                new PlotAxis("") { Names = [.. shares.Select(s => $"{s.Service} ({s.Run})")] },
                new PlotAxis("of all bytes", "%") { Least = 0 }
            )
        );
        Series measured = plot.Add("measured", SeriesKind.Bars),
            expected = plot.Add("weight / sum", SeriesKind.Marks, SeriesRole.Expected);
        for (int i = 0; i < shares.Count; i++)
        {
            ServiceShare share = shares[i];
            measured.Add(i, 100 * share.Measured);
            expected.Add(i, 100 * share.Expected);
            ValueRows.Add(
                run,
                "C10",
                share.Run,
                $"{share.Service}, weight {share.Weight}",
                "share of the link's bytes",
                100 * share.Measured,
                "%"
            );
            run.CheckTimed(
                $"C10: {share.Run}, share of {share.Service}, weight {share.Weight}",
                100 * share.Measured,
                Limit.Near(100 * share.Expected, Apart),
                "%",
                null,
                100 * share.Expected
            );
        }
    }
}
