using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Throughput;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// HPDC Fig. 5(a), §4.2.3: all-to-all by base routing without flow control, every server offering what the cables could
/// carry just so. The bound falls as the cube grows, because paths get longer while every server keeps six links.
/// </summary>
public sealed class ThroughputBySize : IFigure
{
    private const double Least = 0.95;
    private static readonly (int Servers, double Gbps)[] InPaper = [(27, 2.7), (512, 1.0), (4_096, 0.5)];

    /// <inheritdoc/>
    public string Name => "fig5a";

    /// <inheritdoc/>
    public string Title => "All-to-all throughput per server against the size of the cube";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Fig. 5(a), section 4.2.3";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        run.Table.SetColumns(
            "servers",
            "axis_size",
            "mean_hops",
            "bound_gbps",
            "offered_gbps",
            "delivered_gbps",
            "part_of_bound",
            "dropped_packets",
            "packet_hops",
            "warmup_ms",
            "measured_ms"
        );
        Plot plot = run.Add(
            new Plot(
                "",
                new PlotAxis("servers") { IsLogarithmic = true, Ticks = [27, 64, 125, 216, 512, 1_000, 4_096] },
                new PlotAxis("delivered per server", "Gbit/s") { Least = 0 }
            )
        );
        Series measured = plot.Add("measured", SeriesKind.LineWithMarks);
        Series bound = plot.Add("bound: 6 links / mean hops", SeriesKind.Line, SeriesRole.Expected);
        Series paper = plot.Add("paper", SeriesKind.Marks, SeriesRole.Paper);
        foreach ((int servers, double gbps) in InPaper)
        {
            paper.Add(servers, gbps);
        }

        double work = 0,
            before = double.PositiveInfinity,
            falls = 1;
        List<Size> sizes = [.. SizesOf(run)];
        double all = sizes.Sum(size => size.Work);
        foreach (Size size in sizes)
        {
            double done = work;
            AllToAllResult result = AllToAllExperiment.Run(
                size.Options(run.Options.Seed),
                part => run.Report((done + (part * size.Work)) / all, $"{size.Shape}, {size.Shape.Count} servers")
            );
            work += size.Work;
            Tell(run, size, result);
            measured.Add(result.Servers, result.DeliveredGbpsPerServer);
            bound.Add(result.Servers, result.BoundGbps);
            falls = result.DeliveredGbpsPerServer < before ? falls : 0;
            before = result.DeliveredGbpsPerServer;
        }

        foreach ((int servers, double gbps) in InPaper.Where(p => sizes.All(size => size.Shape.Count != p.Servers)))
        {
            int axis = (int)Math.Round(Math.Cbrt(servers));
            double most = AllToAllExperiment.BoundBitsPerSecond(new TorusShape(axis, axis, axis), 1_000_000_000) / 1e9;
            run.NotMade($"{servers} servers", Limit.AtLeast(Least * most), "Gbit/s", gbps, most);
        }

        run.Check("falls with every size (1: yes)", falls, Limit.Exactly(1), expected: 1);
    }

    private static void Tell(FigureRun run, Size size, AllToAllResult result)
    {
        int servers = result.Servers;
        double? paper = InPaper.Any(p => p.Servers == servers) ? InPaper.First(p => p.Servers == servers).Gbps : null;
        run.Check(
            $"{servers} servers",
            result.DeliveredGbpsPerServer,
            Limit.AtLeast(Least * result.BoundGbps),
            "Gbit/s",
            paper,
            result.BoundGbps
        );
        run.Table.Add(
            servers,
            size.Shape.X,
            AllToAllExperiment.MeanHops(size.Shape),
            result.BoundGbps,
            result.OfferedGbps,
            result.DeliveredGbpsPerServer,
            result.PartOfBound,
            result.DroppedPackets,
            result.PacketHops,
            size.Warmup.TotalMilliseconds,
            size.Measured.TotalMilliseconds
        );
    }

    private static IEnumerable<Size> SizesOf(FigureRun run)
    {
        int[] axes = run.ByScale<int[]>([3, 4, 5], [3, 4, 5, 6, 8, 10], [3, 4, 5, 6, 8, 10]);
        foreach (int axis in axes)
        {
            var time = TimeSpan.FromMilliseconds(run.ByScale(10, 40, 100));
            yield return new Size(new TorusShape(axis, axis, axis), time, time);
        }

        if (run.Options.Scale == FigureScale.Quick)
        {
            yield return new Size(
                new TorusShape(16, 16, 16),
                TimeSpan.FromMilliseconds(40),
                TimeSpan.FromMilliseconds(20)
            );
        }
        else if (run.Options.Scale == FigureScale.Full)
        {
            var shape = new TorusShape(16, 16, 16);
            yield return new Size(shape, TimeSpan.FromMilliseconds(60), OnePacketPerPair(shape));
            run.Note("4,096 servers: each sends one packet to each other one while it is measured.");
        }
    }

    // Each server sends one packet to each other one in this time.
    private static TimeSpan OnePacketPerPair(TorusShape shape)
    {
        var options = new AllToAllExperimentOptions { Shape = shape };
        double rate = AllToAllExperiment.BoundBitsPerSecond(shape, options.LinkBitsPerSecond);
        return TimeSpan.FromSeconds((shape.Count - 1) * options.FrameLength * 8.0 / rate);
    }

    private readonly record struct Size(TorusShape Shape, TimeSpan Warmup, TimeSpan Measured)
    {
        // In packet hops, but for a factor: all links of a cube are busy all the time.
        public double Work => Shape.Count * (Warmup + Measured).TotalSeconds;

        public AllToAllExperimentOptions Options(ulong seed) =>
            new()
            {
                Shape = Shape,
                Seed = seed,
                Warmup = Warmup,
                Duration = Measured,
            };
    }
}
