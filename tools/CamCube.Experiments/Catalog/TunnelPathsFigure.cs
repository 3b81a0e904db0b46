using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Tunnels;
using CamCube.Services.Tunnel;
using CamCube.Topology;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// SIGCOMM §3.1 and HPDC §6.3: one flow between two servers through the tunnel, by the number of link-disjoint paths
/// between them, 1 to 5, and both ways round a ring of four.
/// </summary>
public sealed class TunnelPathsFigure : IFigure
{
    private const long LinkBitsPerSecond = 1_000_000_000;
    private const int Servers = 4;
    private static readonly TorusShape Ring = new(Servers, 1, 1),
        Flat = new(3, 3, 1),
        Cube = new(3, 3, 3);

    // What is asked of 3, 4 and 5 paths, in links.
    private static readonly Dictionary<int, double> Asked = new()
    {
        [3] = 2.6,
        [4] = 3.5,
        [5] = 4.3,
    };

    private static readonly FigureParts Runs = new(("paths", 4, RunPaths), ("ring", 1, RunRing));

    /// <inheritdoc/>
    public string Name => "tunnel-paths";

    /// <inheritdoc/>
    public string Title => "One flow through the tunnel by the number of paths, and both ways round a ring";

    /// <inheritdoc/>
    public string Paper => "SIGCOMM'10 section 3.1, HPDC'13 section 6.3";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts => Runs.Names;

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        run.Table.SetColumns("part", "shape", "to", "frame_bytes", "paths", "links", "lost", "out_of_order");
        Runs.Run(run);
        run.Note(
            "Links of 1 Gbit/s; one flow of datagrams as long as packets, whose window grows by one per round trip and "
                + "is halved when one is lost, as that of TCP. Its sender knows at once what came: nothing goes back. "
                + "Counted are bytes without any header."
        );
    }

    private static FlowsResult Measure(
        FigureRun run,
        Action tick,
        string part,
        TorusShape shape,
        Coordinate to,
        TunnelPaths paths,
        int frameBytes,
        int count
    )
    {
        var options = new TunnelOptions { Paths = paths };
        using var cube = new MachineCube(shape, options, LinkBitsPerSecond, frameBytes, run.Options.Seed, tick);
        TimeSpan measured = TimeSpan.FromSeconds(run.ByScale(0.05, 0.5, 2)),
            warm = TimeSpan.FromSeconds(run.ByScale(0.05, 0.3, 0.5));
        var flows = new MachineFlows(cube, [(0, shape.RankOf(to))], TunnelAllToAll.LengthOf(cube));
        FlowsResult result = flows.Run(warm, measured);
        run.Table.Add(part, $"{shape}", $"{to}", frameBytes, count, result.Median, result.Lost, result.OutOfOrder);
        return result;
    }

    private static void RunPaths(FigureRun run, Action<double, string> report)
    {
        Plot plot = run.Add(
            new Plot(
                "One flow",
                new PlotAxis("paths that share no link") { Least = 0, Ticks = [1, 2, 3, 4, 5] },
                new PlotAxis("received, without headers", "links") { Least = 0 }
            )
        );
        Series bound = plot.Add("as many links", SeriesKind.Line, SeriesRole.Expected),
            asked = plot.Add("asked", SeriesKind.Marks, SeriesRole.Bound);
        foreach ((int paths, double least) in Asked)
        {
            asked.Add(paths, least);
        }

        foreach (int frameBytes in (int[])[MachineCube.Jumbo, MachineCube.Ordinary])
        {
            Series measured = plot.Add($"frames of {frameBytes:N0} bytes", SeriesKind.LineWithMarks);
            for (int count = 1; count <= 5; count++)
            {
                double done = (count - 1 + (frameBytes == MachineCube.Jumbo ? 0 : 5)) / 10.0;
                string doing = $"{count} {(count == 1 ? "path" : "paths")}, {frameBytes:N0} B";
                FlowsResult[] all =
                [
                    .. ToBy(run, count)
                        .Select(pair =>
                            Measure(
                                run,
                                () => report(done, doing),
                                "paths",
                                pair.Shape,
                                pair.To,
                                TunnelPaths.Disjoint,
                                frameBytes,
                                count
                            )
                        ),
                ];
                double links = all.Min(static one => one.Median);
                measured.Add(count, links);
                Check(run, doing, count, links, Asked.TryGetValue(count, out double least) ? least : null);
                double disorder = 100 * all.Max(static one => one.Disorder);
                run.Check($"{doing}: out of order", disorder, Limit.AtMost(0.1), "%");
            }
        }

        for (int count = 1; count <= 5; count++)
        {
            bound.Add(count, count);
        }
    }

    private static void RunRing(FigureRun run, Action<double, string> report)
    {
        Plot plot = run.Add(
            new Plot(
                $"One flow in a ring, {Ring}, by hops to the other",
                new PlotAxis("hops") { Least = 0, Ticks = [1, 2] },
                new PlotAxis("received, without headers", "links") { Least = 0 }
            )
        );
        Series one = plot.Add("one way", SeriesKind.LineWithMarks),
            both = plot.Add("both ways", SeriesKind.LineWithMarks);
        for (int hops = 1; hops <= Servers / 2; hops++)
        {
            Coordinate to = Ring.At(hops);
            double done = (hops - 1) / 2.0;
            string doing = $"ring of four, {hops} {(hops == 1 ? "hop" : "hops")}";
            Add(one, TunnelPaths.One, 1);
            double links = Add(both, TunnelPaths.All, 2);
            Check(run, $"{doing}, both ways", 2, links, 1.8);

            double Add(Series series, TunnelPaths paths, int count)
            {
                void Tick() => report(done, doing);
                double got = Measure(run, Tick, "ring", Ring, to, paths, MachineCube.Jumbo, count).Median;
                series.Add(hops, got);
                return got;
            }
        }
    }

    // A full run takes all servers that have so many paths from the first one.
    private static IEnumerable<(TorusShape Shape, Coordinate To)> ToBy(FigureRun run, int count)
    {
        TorusShape shape = count switch
        {
            1 => Ring,
            2 => Flat,
            _ => Cube,
        };
        DisjointPaths paths = DisjointPaths.For(shape);
        return Enumerable
            .Range(1, shape.Count - 1)
            .Select(rank => (Shape: shape, To: shape.At(rank)))
            .Where(pair => paths.SourceLinks(default, pair.To).Count == count)
            .Take(run.ByScale(1, 1, shape.Count));
    }

    private static void Check(FigureRun run, string what, int paths, double links, double? least)
    {
        if (least is { } asked)
        {
            run.CheckTimed(what, links, Limit.AtLeast(asked), "links", expected: paths);
        }
        else
        {
            run.Show(what, links, "links", expected: paths);
        }
    }
}
