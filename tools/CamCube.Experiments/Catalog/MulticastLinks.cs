using CamCube.Experiments.Figures;
using CamCube.Experiments.Multicast;
using CamCube.Experiments.Plots;
using CamCube.Topology;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// SIGCOMM Fig. 2, §3.2: what mini-cube joins save of the links in a multicast tree, by the part of the servers that
/// are members. Few members share little of their ways whatever the routing, and all members need a link each; between
/// the two, ways that meet early pay.
/// </summary>
public sealed class MulticastLinks : IFigure
{
    private const double LeastAtPeak = 15,
        MostAtOne = 1;

    // A model of the same pattern, of few groups: per cent saved by mini-cubes and by dimension order.
    private static readonly (double Fraction, double MiniCube, double Ordered)[] Expected =
    [
        (0.005, 18.5, 14.7),
        (0.01, 24.3, 11.1),
        (0.02, 27.2, 9.0),
        (0.05, 26.8, 0.5),
        (0.1, 23.3, -9.4),
        (0.2, 19.2, -19.5),
        (0.5, 9.0, -14.1),
        (1, 0, 0),
    ];

    /// <inheritdoc/>
    public string Name => "routing-fig2";

    /// <inheritdoc/>
    public string Title => "Links saved in multicast trees by mini-cube joins, by the part of servers that are members";

    /// <inheritdoc/>
    public string Paper => "SIGCOMM'10 Fig. 2, section 3.2";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        var options = new MulticastExperimentOptions { Seed = run.Options.Seed, Groups = run.ByScale(8, 20, 200) };
        run.Table.SetColumns(
            "member_fraction",
            "members",
            "base_links",
            "minicube_links",
            "dimension_order_links",
            "saved_percent",
            "spread_percent",
            "saved_by_dimension_order_percent",
            "most_extra_hops"
        );
        Plot plot = run.Add(
            new Plot(
                "",
                new PlotAxis("members, part of the 8,000 servers")
                {
                    IsLogarithmic = true,
                    Ticks = [0.001, 0.01, 0.1, 1],
                },
                new PlotAxis("links saved against base routing", "%")
            )
        );
        Series miniCube = plot.Add("mini-cube joins", SeriesKind.LineWithMarks);
        Series ordered = plot.Add("dimension order", SeriesKind.LineWithMarks);
        Series model = plot.Add("model, mini-cube", SeriesKind.Line, SeriesRole.Expected);
        foreach ((double fraction, double percent, _) in Expected)
        {
            model.Add(fraction, percent);
        }

        var points = new List<MulticastPoint>();
        foreach (
            MulticastPoint point in MulticastExperiment.Run(
                options,
                done => run.Report(0.8 * done, $"{options.Shape}, {options.Groups} groups per point")
            )
        )
        {
            points.Add(point);
            (double percent, double spread) = (100 * point.Saving, 100 * point.SpreadOfSaving);
            run.Table.Add(
                point.Fraction,
                point.Members,
                point.BaseLinks,
                point.MiniCubeLinks,
                point.OrderedLinks,
                percent,
                spread,
                100 * point.OrderedSaving,
                point.MostExtraHops
            );
            double halfError = 2 * spread / Math.Sqrt(options.Groups);
            miniCube.Add(point.Fraction, percent, percent - halfError, percent + halfError);
            ordered.Add(point.Fraction, 100 * point.OrderedSaving);
        }

        Tell(run, points);
        int extra = points.Max(point => point.MostExtraHops);
        run.Check("most extra hops of a member's way in its tree", extra, Limit.Exactly(0), "hops", 0, 0);
        CheckStretch(run);
        run.Note(
            "Base routing takes a random one of all shortest links at every hop. In an idle cube the first free "
                + "link would "
                + "always be the same, and base routing would be dimension order."
        );
        run.Note("Bars: two standard errors of the mean of the groups.");
        run.Note("Computed, not simulated: joins do not meet in queues.");
    }

    private static void Tell(FigureRun run, List<MulticastPoint> points)
    {
        foreach (MulticastPoint point in points)
        {
            double? expected = Expected.Any(e => e.Fraction == point.Fraction)
                ? Expected.First(e => e.Fraction == point.Fraction).MiniCube
                : null;
            run.Show(
                FormattableString.Invariant($"saved when {100 * point.Fraction:0.#} % are members"),
                100 * point.Saving,
                "%",
                expected: expected
            );
        }

        MulticastPoint peak = points.MaxBy(point => point.Saving)!;
        run.Check("saved at the peak", 100 * peak.Saving, Limit.AtLeast(LeastAtPeak), "%", expected: 27.2);
        run.Check(
            "member fraction of the peak",
            peak.Fraction,
            Limit.Between(0.01, 0.2),
            "",
            paper: 0.1,
            expected: 0.02
        );
        run.Check("saved when all are members", 100 * points[^1].Saving, Limit.AtMost(MostAtOne), "%", 0, 0);
        run.Check("peaks (rises before, falls after)", PeaksOf(points), Limit.Exactly(1), "", 1, 1);
    }

    // Turns from rising to falling, where a turn counts only if it is larger than the accidents of the groups.
    private static int PeaksOf(List<MulticastPoint> points)
    {
        int peaks = 0;
        bool rising = true;
        double extreme = double.NegativeInfinity;
        foreach (MulticastPoint point in points)
        {
            double saving = point.Saving;
            if (rising ? saving > extreme : saving < extreme)
            {
                extreme = saving;
            }
            else if (Math.Abs(saving - extreme) > 0.02)
            {
                peaks += rising ? 1 : 0;
                (rising, extreme) = (!rising, saving);
            }
        }

        return peaks;
    }

    // R2b: for every axis size, from all servers to one root.
    private static void CheckStretch(FigureRun run)
    {
        int most = 0;
        for (int size = 2; size <= 20; size++)
        {
            run.Report(0.8 + (0.2 * (size - 2) / 19), $"stretch, {size}x{size}x{size}");
            var shape = new TorusShape(size, size, size);
            MiniCubeRoutes routes = MiniCubeRoutes.For(shape);
            for (int rank = 0; rank < shape.Count; rank++)
            {
                int hops = 0;
                for (Coordinate at = shape.At(rank); at != default && hops <= shape.Count; hops++)
                {
                    at = shape.Step(at, routes.NextHop(at, default));
                }

                most = Math.Max(most, hops - shape.Distance(shape.At(rank), default));
            }
        }

        run.Check("most extra hops of any path, axis sizes 2 to 20", most, Limit.Exactly(0), "hops", 0, 0);
    }
}
