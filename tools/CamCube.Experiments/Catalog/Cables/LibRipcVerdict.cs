using CamCube.Experiments.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>LibRIPC Fig. 5.5 and 5.6 and §5.4.3 (L5.5, L5.6, L5.4.3 of the design).</summary>
internal static class LibRipcVerdict
{
    /// <summary>A call answered by a short message; one answered into a lent window; a file by HTTP over one cable, and
    /// through the tunnel; and by a C program.</summary>
    public const string Short = "short",
        Long = "long",
        Http = "HTTP",
        Tunnel = "HTTP, tunnel",
        Sockets = "C, sockets";

    // Microseconds of the paper, at 100 and 1,900 bytes: Fig. 5.5.
    private static readonly Dictionary<(string, int), double> Paper = new()
    {
        [(Short, 100)] = 17.72,
        [(Short, 1_900)] = 22.44,
        [(Long, 100)] = 26.07,
        [(Long, 1_900)] = 28.09,
    };

    /// <summary>Round trips of calls, and of sockets, at all sizes.</summary>
    public static void Calls(FigureRun run, IReadOnlyList<RoundTrips> all)
    {
        Plot plot = run.Add(
            new Plot(
                "Fig. 5.5: round trip of a call, median",
                new PlotAxis("bytes") { Least = 0 },
                new PlotAxis("round trip", "us") { Least = 0 }
            )
        );
        foreach (string what in (string[])[Short, Long, RoundTrips.Udp, RoundTrips.Tcp, RoundTrips.Tunnel])
        {
            Series line = plot.Add(what, SeriesKind.LineWithMarks);
            foreach (RoundTrips trips in all.Where(trips => trips.What == what).OrderBy(trips => trips.Bytes))
            {
                ValueRows.Add(run, "L5.5", what, $"{trips.Bytes} B", "median round trip", trips.Median, "us");
                ValueRows.Add(run, "L5.5", what, $"{trips.Bytes} B", "lost", trips.Lost, "calls");
                if (double.IsFinite(trips.Median))
                {
                    line.Add(trips.Bytes, trips.Median);
                }
            }
        }

        int[] sizes = [.. all.Select(trips => trips.Bytes).Distinct().Order()];
        foreach (int bytes in sizes)
        {
            double? one = PaperOf(Short, bytes);
            run.Show($"L5.5: {bytes:N0} B, short", Of(Short, bytes), "us", one);
            run.CheckTimed(
                $"L5.5: {bytes:N0} B, long / short",
                Of(Long, bytes) / Of(Short, bytes),
                Limit.Between(1.1, 2.5),
                "",
                PaperOf(Long, bytes) / one
            );
            run.CheckTimed(
                $"L5.5: {bytes:N0} B, short / TCP with new sockets",
                Of(Short, bytes) / Of(RoundTrips.Tcp, bytes),
                Limit.AtMost(1)
            );
            run.CheckTimed(
                $"L5.5: {bytes:N0} B, short / TCP through the tunnel",
                Of(Short, bytes) / Of(RoundTrips.Tunnel, bytes),
                Limit.AtMost(1)
            );
        }

        foreach (string what in (string[])[Short, Long])
        {
            run.CheckTimed(
                $"L5.5: {what}, {sizes[^1]:N0} B / {sizes[0]:N0} B",
                Of(what, sizes[^1]) / Of(what, sizes[0]),
                Limit.AtMost(1.5),
                "",
                Paper[(what, 1_900)] / Paper[(what, 100)]
            );
        }

        run.CheckTimed(
            $"L5.5: {sizes[0]:N0} B, short / UDP",
            Of(Short, sizes[0]) / Of(RoundTrips.Udp, sizes[0]),
            Limit.AtMost(1.35)
        );
        static double? PaperOf(string what, int bytes) =>
            Paper.TryGetValue((what, bytes), out double micros) ? micros : null;
        double Of(string what, int bytes) => all.Single(trips => trips.What == what && trips.Bytes == bytes).Median;
    }

    /// <summary>Files by one long message and by HTTP.</summary>
    /// <param name="run">The run.</param>
    /// <param name="all">Several of each kind and size.</param>
    /// <param name="paths">Link-disjoint paths of the long ones.</param>
    public static void Files(FigureRun run, IReadOnlyList<FileTransfer> all, int paths)
    {
        Plot plot = run.Add(
            new Plot(
                "Fig. 5.6: goodput of one file, median",
                new PlotAxis("file", "MB") { IsLogarithmic = true },
                new PlotAxis("goodput", "Mbit/s") { Least = 0 }
            )
        );
        int[] sizes = [.. all.Select(f => f.Bytes).Distinct().Order()];
        foreach (string what in (string[])[Long, Http, Tunnel])
        {
            Series line = plot.Add(what, SeriesKind.LineWithMarks);
            foreach (int bytes in sizes)
            {
                double megabits = Rate(what, bytes);
                ValueRows.Add(run, "L5.6", what, $"{bytes} B", "median goodput", megabits, "Mbit/s");
                if (double.IsFinite(megabits))
                {
                    line.Add(bytes / 1e6, megabits);
                }
            }
        }

        int crossover = sizes.LastOrDefault(bytes => Rate(Long, bytes) < Rate(Http, bytes));
        int from = crossover == 0 ? sizes[0] : sizes.FirstOrDefault(bytes => bytes > crossover, int.MaxValue);
        run.CheckTimed("L5.6: from this size on long messages are faster", from / 1e3, Limit.AtMost(700), "kB", 700);
        run.CheckTimed(
            $"L5.6: {sizes[^1] / 1e6:N0} MB, long / HTTP, {paths} paths",
            Rate(Long, sizes[^1]) / Rate(Http, sizes[^1]),
            Limit.AtLeast(paths >= 5 ? 4 : 1.3),
            "",
            null,
            paths
        );
        run.Show(
            $"L5.6: {sizes[^1] / 1e6:N0} MB, long / HTTP through the tunnel",
            Rate(Long, sizes[^1]) / Rate(Tunnel, sizes[^1])
        );

        double Rate(string what, int bytes) =>
            bytes * 8.0 / Medians.Of([.. all.Where(f => f.What == what && f.Bytes == bytes).Select(f => f.Micros)]);
    }

    /// <summary>CPU time of servers that send large files.</summary>
    /// <param name="run">The run.</param>
    /// <param name="all">Of several rounds, by long messages and by sockets; none by sockets: there was no
    /// compiler.</param>
    public static void ServerCosts(FigureRun run, IReadOnlyList<ServerCost> all)
    {
        Plot plot = run.Add(
            new Plot(
                "Fig. 5.7: the server's CPU time, large files",
                new PlotAxis("round") { Least = 0 },
                new PlotAxis("CPU time per byte", "ns") { Least = 0 }
            )
        );
        foreach (IGrouping<string, ServerCost> costs in all.GroupBy(cost => cost.What))
        {
            Series line = plot.Add(costs.Key, SeriesKind.LineWithMarks);
            foreach (ServerCost cost in costs)
            {
                string round = $"round {cost.Round + 1}";
                ValueRows.Add(run, "L5.7", cost.What, round, "CPU time per byte", cost.NanosPerByte, "ns");
                line.Add(cost.Round + 1, cost.NanosPerByte);
            }

            run.Show($"L5.7: server, {costs.Key}", Medians.Of(costs.Select(cost => cost.NanosPerByte)), "ns/B");
        }

        const string Asked = "L5.7: CPU time per byte of the server, long / C on sockets without offloads";
        double[] ratios =
        [
            .. all.Where(cost => cost.What == Long)
                .Join(
                    all.Where(cost => cost.What == Sockets),
                    ours => ours.Round,
                    theirs => theirs.Round,
                    (ours, theirs) => ours.NanosPerByte / theirs.NanosPerByte
                ),
        ];
        if (ratios.Length == 0)
        {
            run.NotMade(Asked, Limit.AtMost(1));
            return;
        }

        run.CheckTimed(Asked, Medians.Of(ratios), Limit.AtMost(1));
    }

    /// <summary>Lines of the demos.</summary>
    public static void Lines(FigureRun run, IReadOnlyList<SampleLines> all)
    {
        foreach (SampleLines sample in all)
        {
            ValueRows.Add(run, "L5.4.3", sample.Name, "with messages", "lines", sample.WithMessages, "lines");
            ValueRows.Add(run, "L5.4.3", sample.Name, "with sockets", "lines", sample.WithSockets, "lines");
            run.Show($"L5.4.3: {sample.Name} with sockets", sample.WithSockets, "lines");
            run.Check(
                $"L5.4.3: {sample.Name}, lines with messages / with sockets",
                (double)sample.WithMessages / sample.WithSockets,
                Limit.AtMost(2)
            );
        }

        run.Note("L5.4.3: lines of docs/samples that are neither empty nor comments.");
    }
}
