using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>NSDI'12 §5.2: with one reduce every server combines as much as any other: bytes that it takes from its
/// children, and of its own.</summary>
public sealed class BalanceFigure : IFigure
{
    private const double NextToRoot = 11.0 / 12;
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <inheritdoc/>
    public string Name => "camdoop-balance";

    /// <inheritdoc/>
    public string Title => "What each server combines for one reduce";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 section 5.2";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        ShuffleSize size = CamdoopFigures.Testbed(run);
        run.Table.SetColumns("share", "server", "bytes");
        Plot plot = run.Add(
            new Plot(
                $"{Shape}, R = 1",
                new PlotAxis("server") { Least = 0, Most = Shape.Count - 1 },
                new PlotAxis("bytes combined, of the median") { Least = 0 }
            )
        );
        foreach (
            double share in run.ByScale<double[]>(
                [1.0 / Shape.Count],
                [1.0 / Shape.Count],
                [1.0 / Shape.Count, 0.25, 1]
            )
        )
        {
            SharedKeys keys = size.KeysOf(run, share);
            void Tick() => run.Report(share, $"S = {share:0.###}");
            Tick();
            using var cube = new ShuffleCube(Shape, run.Options.Seed, new CountedKeys(keys), Tick, size.Terms);
            ShuffleResult result = cube.Run(new ShuffleJob(1, Combines: true));
            long own = result.Bytes / Shape.Count;
            var bytes = new double[Shape.Count];
            foreach (((int rank, Link link), long sent) in result.OnLinks)
            {
                bytes[Shape.RankOf(Shape.Step(Shape.At(rank), link))] += sent;
            }

            Series series = plot.Add($"S = {share:0.###}", SeriesKind.Marks);
            double[] sorted = [.. bytes.Select(b => b + own).Order()];
            double median = sorted[sorted.Length / 2];
            for (int rank = 0; rank < Shape.Count; rank++)
            {
                run.Table.Add(share, rank, (long)bytes[rank] + own);
                series.Add(rank, (bytes[rank] + own) / median);
            }

            Coordinate root = Shape.At(result.Roots[0]);
            HashSet<int> near = [];
            foreach (Link link in Shape.CabledLinks(root))
            {
                near.Add(Shape.RankOf(Shape.Step(root, link)));
            }

            double[] next = [.. near.Select(rank => (bytes[rank] + own) / median)],
                others =

                [
                    .. Enumerable
                        .Range(0, Shape.Count)
                        .Where(rank => !near.Contains(rank))
                        .Select(rank => (bytes[rank] + own) / median),
                ];
            Check(run, $"S = {share:0.###}: least / median", others.Min(), Limit.AtLeast(0.99), share);
            Check(run, $"S = {share:0.###}: most / median", others.Max(), Limit.AtMost(1.01), share);
            Check(
                run,
                $"S = {share:0.###}, the root's neighbours: mean / median",
                next.Average(),
                Limit.Near(NextToRoot, 0.01),
                share
            );
            run.Check(
                $"S = {share:0.###}: servers that combine",
                others.Concat(next).Count(static part => part > 0),
                Limit.Exactly(Shape.Count)
            );
        }

        run.Note("Bytes of records that come in by the trees' cables, and those of the server's own map task.");
        run.Note(
            "No six trees without a common link are even: a neighbour of the root has a cable from it by which nothing "
                + "comes, so it has one child less, and with S = 1/N combines 11/12 of what others do."
        );
    }

    // With S above 1/N servers have as much to combine as is below them.
    private static void Check(FigureRun run, string what, double measured, Limit limit, double share)
    {
        if (share <= 1.0 / Shape.Count)
        {
            run.CheckTimed(what, measured, limit);
        }
        else
        {
            run.Show(what, measured);
        }
    }
}
