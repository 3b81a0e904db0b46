using CamCube.Experiments.Collectives;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// SIGCOMM §3, the aggregation service: vectors of all servers become one at a root. Bytes on links when they are added
/// up on the way, beside the same vectors sent to the root, each by itself on a shortest way; and whether the root's
/// links have equal parts of it.
/// </summary>
public sealed class AggregationLinks : IFigure
{
    private const int HeaderBytes = 48;

    /// <inheritdoc/>
    public string Name => "aggregation-r4";

    /// <inheritdoc/>
    public string Title => "Bytes on links when vectors are added up on the way to a root";

    /// <inheritdoc/>
    public string Paper => "SIGCOMM'10 section 3";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        const double Third = 1.0 / 3;
        const double Milli = 1e3;
        int bytes = run.ByScale(256 << 10, 1 << 20, 1 << 20);
        int[] sizes = run.ByScale<int[]>([3, 4], [3, 4, 5], [3, 4, 5, 6, 8]);
        run.Table.SetColumns("servers", "aggregated_bytes", "unicast_bytes", "part", "root_link_spread", "seconds");
        Plot plot = run.Add(
            new Plot(
                "",
                new PlotAxis("servers") { IsLogarithmic = true, Ticks = [27, 64, 125, 216, 512] },
                new PlotAxis("bytes on links, of those of unicast") { Least = 0 }
            )
        );
        Series measured = plot.Add("added up on the way", SeriesKind.LineWithMarks),
            expected = plot.Add("1 / mean distance", SeriesKind.Line, SeriesRole.Expected);
        double part = 1;
        for (int i = 0; i < sizes.Length; i++)
        {
            TorusShape shape = new(sizes[i], sizes[i], sizes[i]);
            double done = (double)i / sizes.Length;
            run.Report(done, $"{shape}");
            using var cube = new CollectiveCube(shape, run.Options.Seed, () => run.Report(done, $"{shape}"));
            Dictionary<(int Rank, Link Link), long> before = cube.Carried();
            double seconds = cube.Run(CollectiveKind.Reduce, bytes);
            Dictionary<(int Rank, Link Link), long> carried = cube.Carried()
                .ToDictionary(now => now.Key, now => now.Value - before[now.Key]);
            long hops = Enumerable.Range(0, shape.Count).Sum(rank => (long)shape.Distance(shape.At(rank), default));
            double packets = Math.Ceiling(bytes / (double)(cube.MaxPayload - HeaderBytes));
            double unicast = hops * (bytes + (packets * (cube.FrameBytes - cube.MaxPayload + HeaderBytes)));
            long all = carried.Values.Sum();
            double spread = SpreadOfRoot(shape, carried);
            part = all / unicast;
            run.Table.Add(shape.Count, all, unicast, part, spread, seconds);
            measured.Add(shape.Count, part);
            expected.Add(shape.Count, (shape.Count - 1) / (double)hops);
            run.Show($"{shape}: bytes on links, of those of unicast", part, expected: (shape.Count - 1) / (double)hops);
            run.Check($"{shape}: the root's links, most / least", spread, Limit.AtMost(1.1));
            run.Show($"{shape}: time", seconds * Milli, "ms", expected: bytes * 8 / 6e9 * Milli);
        }

        const string Asked = "the largest cube: bytes on links, of those of unicast";
        run.CheckTimed(Asked, part, Limit.AtMost(Third));
        run.Note(
            "All frames that links carry in the time of the reduce, with acknowledgements and what servers tell their "
                + "neighbours; unicast is a closed form, with headers and without acknowledgements."
        );
    }

    // What comes in at each of its links is what its neighbour sends on the opposite one.
    private static double SpreadOfRoot(TorusShape shape, Dictionary<(int Rank, Link Link), long> carried)
    {
        List<long> into = [];
        foreach (Link link in shape.CabledLinks(default))
        {
            into.Add(carried[(shape.RankOf(shape.Step(default, link)), link.Opposite())]);
        }

        return into.Max() / (double)into.Min();
    }
}
