using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Symbiotic;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// SIGCOMM Fig. 5, §4: the cache, sums, a file for all and the tunnel in one cube at the same time, each with its own
/// routing, beside the same work by base routing: packets on cables of each service, and those of control.
/// </summary>
public sealed class SymbioticServices : IFigure
{
    private const int Cache = 0,
        Aggregation = 1,
        Distribution = 2,
        Tunnel = 3;

    // Servers beyond which it takes minutes.
    private const int Large = 64;
    private const double Delivered = 0.999,
        MoreControl = 0.02;
    private static readonly string[] Names = ["cache", "aggregation", "distribution", "tunnel", "control"];

    /// <inheritdoc/>
    public string Name => "symbiotic-r5";

    /// <inheritdoc/>
    public string Title => "Packets on cables of four services at once, by base routing and by their own";

    /// <inheritdoc/>
    public string Paper => "SIGCOMM'10 Fig. 5, section 4";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        var small = new TorusShape(3, 3, 3);
        TorusShape[] shapes = run.ByScale<TorusShape[]>([small], [small], [small, new(8, 8, 8)]);
        run.Table.SetColumns("shape", "service", "base_packet_hops", "own_packet_hops", "own_over_base");
        for (int i = 0; i < shapes.Length; i++)
        {
            RunShape(run, shapes[i], (double)i / shapes.Length, 1.0 / shapes.Length);
        }

        run.Note(
            "All at the same time, links of 1 Gbit/s: reads of hot items of the cache through random servers, one of "
                + "100 a change; a vector of each server, added up at one; a file of one server for all; datagrams "
                + "from each server to another one. Every packet counts once for each cable that it enters, "
                + "acknowledgements and what services tell their own too; the group of the sum is open before."
        );
        run.Note(
            "Base routing: no copies in the cache, a stream from each server to the root, the file sent to one server "
                + "after the other along shortest ways, one path of the tunnel."
        );
        run.Note(
            "Control are packets of the link-state service, which says nothing while nothing changes, and a heartbeat "
                + "only where nothing else has gone over a link. Behind all else a cable is cut, and mended."
        );
    }

    private static void RunShape(FigureRun run, TorusShape shape, double from, double part)
    {
        SymbioticOptions options = Options(run, shape);
        (SymbioticResult basis, double idle) = Measure(run, options, from, part / 2);
        (SymbioticResult own, _) = Measure(run, options with { IsOwn = true }, from + (part / 2), part / 2);
        double[] bases = ByService(basis),
            owns = ByService(own);
        Plot plot = run.Add(
            new Plot(
                $"{shape}: packets on cables; of the tunnel for each datagram, of control beside an idle cube",
                new PlotAxis("") { Names = Names },
                new PlotAxis("part of base routing") { Least = 0 }
            )
        );
        Series byBase = plot.Add("base routing", SeriesKind.Bars),
            byOwn = plot.Add("own routing", SeriesKind.Bars);
        for (int i = 0; i < Names.Length; i++)
        {
            double ratio = owns[i] / bases[i];
            byBase.Add(i, 1);
            byOwn.Add(i, ratio);
            run.Table.Add($"{shape}", Names[i], bases[i], owns[i], ratio);
        }

        // One way by base routing.
        double hops = Enumerable.Range(1, shape.Count - 1).Average(rank => shape.Distance(default, shape.At(rank)));
        Check(Cache, null);
        Check(Aggregation, 1 / hops);
        Check(Distribution, 1 / hops);
        run.Show($"{shape}: tunnel, packets on cables for a datagram, own / base", owns[Tunnel] / bases[Tunnel]);
        Limit all = Limit.AtLeast(Delivered);
        run.Check($"{shape}: tunnel, datagrams that came, base", (double)basis.Delivered / basis.Sent, all);
        run.Check($"{shape}: tunnel, datagrams that came, own", (double)own.Delivered / own.Sent, all);
        run.Show($"{shape}: control, packets on cables, base", basis.Control, expected: idle);
        run.Show($"{shape}: control, packets on cables, own", own.Control, expected: idle);
        run.Check(
            $"{shape}: control, own - base, of those of an idle cube",
            (own.Control - basis.Control) / idle,
            Limit.AtMost(MoreControl)
        );
        run.Check(
            $"{shape}: control, news of a cable cut and mended, own / base",
            (double)own.News / basis.News,
            Limit.Near(1, MoreControl)
        );

        void Check(int service, double? expected) =>
            run.Check(
                $"{shape}: {Names[service]}, packets on cables, own / base",
                owns[service] / bases[service],
                Limit.AtMost(1),
                expected: expected
            );
    }

    private static SymbioticOptions Options(FigureRun run, TorusShape shape)
    {
        var small = new SymbioticOptions
        {
            Shape = shape,
            Seed = run.Options.Seed,
            IsOwn = false,
        };
        SymbioticOptions smoke = small with { Time = TimeSpan.FromSeconds(0.5), VectorBytes = 256 << 10 };
        SymbioticOptions large = small with
        {
            Time = TimeSpan.FromSeconds(6),
            Items = 200,
            Reads = 40,
            VectorBytes = 256 << 10,
            PerDatagram = TimeSpan.FromMilliseconds(10),
        };
        return shape.Count > Large ? large : run.ByScale(smoke, small, small);
    }

    private static double[] ByService(SymbioticResult result) =>
        [
            result.Cache,
            result.Aggregation,
            result.Distribution,
            (double)result.Tunnel / result.Delivered,
            result.Control,
        ];

    private static (SymbioticResult Result, double Idle) Measure(
        FigureRun run,
        SymbioticOptions options,
        double from,
        double part
    )
    {
        string doing = $"{options.Shape}, {(options.IsOwn ? "own routing" : "base routing")}";
        run.Report(from, doing);
        using var experiment = new SymbioticExperiment(options);
        return (experiment.Run(done => run.Report(from + (done * part), doing)), experiment.IdleControl);
    }
}
