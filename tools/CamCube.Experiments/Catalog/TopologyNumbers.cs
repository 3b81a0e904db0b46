using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Runtime.Services;
using CamCube.Services.Workloads.AllToAll;
using CamCube.Simulator;
using CamCube.Simulator.Settings;
using CamCube.Topology;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// SIGCOMM §3: how many servers and links the simulated cubes have, and how far their servers are apart. Counted on the
/// routes that every server uses; then a cube of 8,000 servers runs, and its packets' hops are counted.
/// </summary>
public sealed class TopologyNumbers : IFigure
{
    private static readonly (int Axis, int Servers, int? Links, int Diameter, int Mean)[] InPaper =
    [
        (12, 1_728, null, 18, 9),
        (20, 8_000, 48_000, 30, 15),
    ];

    /// <inheritdoc/>
    public string Name => "topology-numbers";

    /// <inheritdoc/>
    public string Title => "Distances in k-ary 3-cubes, and 8,000 simulated servers";

    /// <inheritdoc/>
    public string Paper => "SIGCOMM'10 section 3";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        run.Table.SetColumns("axis_size", "servers", "links", "diameter", "mean_hops", "mean_hops_with_itself");
        Plot plot = run.Add(new Plot("", new PlotAxis("servers per axis, k"), new PlotAxis("hops") { Least = 0 }));
        Series diameter = plot.Add("diameter, counted", SeriesKind.LineWithMarks);
        Series mean = plot.Add("mean, counted", SeriesKind.LineWithMarks);
        Series paper = plot.Add("paper", SeriesKind.Marks, SeriesRole.Paper);
        foreach (int axis in (int[])[3, 4, 6, 8, 10, 12, 14, 16, 18, 20])
        {
            run.Report(axis / 100.0, $"{axis}x{axis}x{axis}: distances");
            Counts counts = CountsOf(new TorusShape(axis, axis, axis));
            diameter.Add(axis, counts.Diameter);
            mean.Add(axis, counts.MeanHops);
            run.Table.Add(
                axis,
                counts.Servers,
                counts.Links,
                counts.Diameter,
                counts.MeanHops,
                counts.MeanHops * (counts.Servers - 1) / counts.Servers
            );
            foreach (var said in InPaper.Where(said => said.Axis == axis))
            {
                Tell(run, said, counts);
                paper.Add(axis, said.Diameter);
                paper.Add(axis, said.Mean);
            }
        }

        Simulate(run);
    }

    private static void Tell(
        FigureRun run,
        (int Axis, int Servers, int? Links, int Diameter, int Mean) said,
        Counts counts
    )
    {
        string cube = $"{said.Axis}-ary 3-cube";
        run.Check($"{cube}: servers", counts.Servers, Limit.Exactly(said.Servers), "", said.Servers, said.Servers);
        run.Check($"{cube}: links", counts.Links, Limit.Exactly(6 * said.Servers), "", said.Links, 6 * said.Servers);
        run.Check(
            $"{cube}: diameter",
            counts.Diameter,
            Limit.Exactly(said.Diameter),
            "hops",
            said.Diameter,
            said.Diameter
        );

        // k/4 per even axis over all servers; the server itself is no destination.
        double expected = 3 * said.Axis / 4.0 * said.Servers / (said.Servers - 1);
        run.Check($"{cube}: mean", counts.MeanHops, Limit.Near(expected, 1e-9), "hops", said.Mean, expected);
    }

    private static Counts CountsOf(TorusShape shape)
    {
        var routes = TorusRoutes.For(shape);
        int links = 0,
            diameter = 0;
        long hops = 0;
        for (int rank = 0; rank < shape.Count; rank++)
        {
            // From one server: a torus looks alike from everywhere.
            int distance = routes.Hops(default, shape.At(rank));
            links += shape.CabledLinks(shape.At(rank)).Count;
            hops += distance;
            diameter = Math.Max(diameter, distance);
        }

        return new Counts(shape.Count, links, diameter, (double)hops / (shape.Count - 1));
    }

    // Servers send a few packets each; then all of them arrive.
    private static void Simulate(FigureRun run)
    {
        var shape = new TorusShape(20, 20, 20);
        int packets = run.ByScale(2, 20, 200);
        double gap = 9_014 * 8 / 0.2e9;
        var traffic = new AllToAllOptions { OfferedBitsPerSecond = 0.2e9, MostPackets = packets };
        using var cube = new SimulatedCube(
            shape,
            [ServiceDefinition.Of(activation => new AllToAllService(activation.Server, traffic))],
            new SimulatorOptions { Seed = run.Options.Seed }
        );
        var time = TimeSpan.FromSeconds((packets + 1) * gap) + TimeSpan.FromMilliseconds(5);
        const int Slices = 50;
        for (int slice = 1; slice <= Slices; slice++)
        {
            run.Report(0.2 + (0.8 * (slice - 1) / Slices), "8,000 servers send packets to one another");
            cube.AdvanceTo(time.Ticks * 100 * slice / Slices);
        }

        long received = 0,
            hops = 0;
        for (int rank = 0; rank < shape.Count; rank++)
        {
            received += cube.Service<AllToAllService>(rank).ReceivedPackets;
            hops += cube.Service<AllToAllService>(rank).ReceivedHops;
        }

        long sent = (long)packets * shape.Count;
        run.Check("8,000 simulated servers: packets that arrive", received, Limit.Exactly(sent), "packets", null, sent);
        double mean = 15.0 * 8_000 / 7_999;
        run.Check(
            "8,000 simulated servers: mean hops of packets",
            (double)hops / received,
            Limit.Near(mean, 0.02),
            "hops",
            15,
            mean
        );
    }

    private readonly record struct Counts(int Servers, int Links, int Diameter, double MeanHops);
}
