using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Tunnels;
using CamCube.Services.Tunnel;
using CamCube.Topology;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// HPDC §6.3.1 (C9): every server sends to all others through the tunnel, with and without what restores order; beside
/// it a bridge, or switch, with a port of one link's rate for each server, as a closed form.
/// </summary>
public sealed class TunnelAllToAll : IFigure
{
    private const long LinkBitsPerSecond = 1_000_000_000;
    private const int DatagramHead = 28;
    private const int EthernetHead = 14;
    private const double Paper149 = 1.49;

    // Of the time: short frames are six times as many.
    private const double ShortPart = 1.0 / 3;
    private static readonly TorusShape Shape = new(3, 3, 3);
    private static readonly FigureParts Runs = new(("long", 1, RunLong), ("short", 3, RunShort));

    /// <inheritdoc/>
    public string Name => "tunnel-c9";

    /// <inheritdoc/>
    public string Title => "All servers send to all others through the tunnel";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 section 6.3.1";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts => Runs.Names;

    /// <summary>Bytes of a datagram that fills a packet.</summary>
    internal static int LengthOf(MachineCube cube) => cube.Mtu - DatagramHead;

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        run.Table.SetColumns("part", "order", "server", "frame_bytes", "links");
        Runs.Run(run);
        run.Note(
            $"{Shape}, links of 1 Gbit/s; a flow from each server to each other one, of datagrams as long as "
                + "packets, whose window grows by one per round trip and is halved when one is lost or seems to be, as "
                + "that of TCP. Its sender knows at once what came: nothing goes back. Counted are bytes without any "
                + "header."
        );
        run.Note(
            "The bridge is a closed form: a port for each server, of a link's rate, always full, with the same frames. "
                + "The bounds are six links / mean hops, of shortest ways and of the tunnel's paths, all used alike."
        );
    }

    // What a port receives of programs' bytes.
    private static double Bridge(int frameBytes) => (double)(frameBytes - EthernetHead - DatagramHead) / frameBytes;

    private static double LinksByHops(Func<Coordinate, double> hops) =>
        Shape.CabledLinks(default).Count / Enumerable.Range(1, Shape.Count - 1).Average(rank => hops(Shape.At(rank)));

    private static FlowsResult Measure(
        FigureRun run,
        Action<double, string> report,
        string part,
        int frameBytes,
        bool keepsOrder
    )
    {
        double done = keepsOrder ? 0 : 0.5;
        string doing = keepsOrder ? "order restored" : "order not restored";
        var options = new TunnelOptions();
        using var cube = new MachineCube(
            Shape,
            options,
            LinkBitsPerSecond,
            frameBytes,
            run.Options.Seed,
            () => report(done, doing)
        );
        if (!keepsOrder)
        {
            cube.HandOnAtOnce();
        }

        var flows = new MachineFlows(cube, MachineFlows.AllToAll(cube.Shape.Count), LengthOf(cube));
        double share = frameBytes == MachineCube.Jumbo ? 1 : ShortPart;
        FlowsResult result = flows.Run(
            TimeSpan.FromSeconds(share * run.ByScale(0.01, 0.3, 1)),
            TimeSpan.FromSeconds(share * run.ByScale(0.01, 0.3, 2))
        );
        for (int i = 0; i < result.Links.Count; i++)
        {
            run.Table.Add(part, keepsOrder ? "restored" : "as it comes", i, frameBytes, result.Links[i]);
        }

        return result;
    }

    private static void RunLong(FigureRun run, Action<double, string> report) =>
        RunPart(run, report, "long", MachineCube.Jumbo);

    private static void RunShort(FigureRun run, Action<double, string> report) =>
        RunPart(run, report, "short", MachineCube.Ordinary);

    private static void RunPart(FigureRun run, Action<double, string> report, string part, int frameBytes)
    {
        string what = $"{frameBytes:N0} B";
        FlowsResult restored = Measure(run, report, part, frameBytes, keepsOrder: true),
            asItComes = Measure(run, report, part, frameBytes, keepsOrder: false);
        double bridge = Bridge(frameBytes);
        Plot plot = run.Add(
            new Plot(
                $"{Shape}, all to all, frames of {what}",
                new PlotAxis("servers, by what they receive") { Least = 0 },
                new PlotAxis("received, without headers", "links") { Least = 0 }
            )
        );
        Draw("order restored", SeriesRole.Measured, restored.Links);
        Draw("order not restored", SeriesRole.Measured, asItComes.Links);
        Draw("bridge", SeriesRole.Expected, [.. restored.Links.Select(_ => bridge)]);
        plot.Add("paper, median", SeriesKind.Marks, SeriesRole.Paper).Add(Shape.Count / 2, Paper149);
        DisjointPaths paths = DisjointPaths.For(Shape);
        run.Show(
            $"{what}: bound of shortest ways",
            LinksByHops(static to => Shape.Distance(default, to)),
            "links",
            paper: 2.7
        );
        run.Show(
            $"{what}: bound of link-disjoint paths",
            LinksByHops(to => paths.Paths(default, to).Average(static path => path.Length - 1)),
            "links"
        );
        run.CheckTimed($"{what}: median received per server", restored.Median, Limit.AtLeast(1.5), "links", Paper149);
        run.Show($"{what}: least", restored.Links[0], "links");
        run.Show($"{what}: most", restored.Links[^1], "links");
        run.Check($"{what}: median / bridge", restored.Median / bridge, Limit.AtLeast(1));
        run.Show($"{what}: links that a byte goes over, with headers", restored.Crossed);
        run.CheckTimed($"{what}: out of order", 100 * restored.Disorder, Limit.AtMost(0.1), "%");
        run.CheckTimed(
            $"{what}: out of order, order not restored",
            100 * asItComes.Disorder,
            Limit.AtLeast(Math.Max(1, 1_000 * restored.Disorder)),
            "%"
        );
        run.Show($"{what}: median received, order not restored", asItComes.Median, "links");

        void Draw(string name, SeriesRole role, IReadOnlyList<double> links)
        {
            Series series = plot.Add(name, SeriesKind.Line, role);
            for (int i = 0; i < links.Count; i++)
            {
                series.Add(i, links[i]);
            }
        }
    }
}
