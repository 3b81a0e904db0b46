using CamCube.Experiments.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Moves;
using CamCube.Testbed;
using CamCube.Topology;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>
/// LibRIPC §5.4 and §5.5 on real cables: calls by short and long messages beside sockets, files by one long message
/// beside HTTP, and the lines that a demo takes. Each part makes testbeds of its own and removes them.
/// </summary>
public sealed class LibRipcOnCables : IFigure
{
    private const double FilesFrom = 0.3,
        CostsFrom = 0.7,
        MovesFrom = 0.8,
        LinesFrom = 0.98;

    // Packets wait where they are marked, and not in the kernel, whose buffers for jumbo frames are a second and more
    // at these rates.
    private const string SmallBuffer = "CamCube:Ethernet:SendBuffer=10000";

    // The paper's sizes.
    private static readonly int[] CallBytes = [100, 500, 1_000, 1_500, 1_900];

    /// <inheritdoc/>
    public string Name => "libripc";

    /// <inheritdoc/>
    public string Title => "Messages between endpoints: round trips, files, lines";

    /// <inheritdoc/>
    public string Paper => "LibRIPC Fig. 5.5 to 5.7, sections 5.4.2 and 5.4.3";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts { get; } = ["pingpong", "files", "moves", "lines"];

    /// <inheritdoc/>
    public string? Missing => new Fig4OnCables().Missing;

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        if (Missing is { } missing)
        {
            throw new ExperimentException($"{Name} {missing}.");
        }

        ValueRows.SetColumns(run);
        if (run.Options.Parts.Count > 0)
        {
            run.Note($"Only a part: {string.Join(", ", run.Options.Parts)}.");
        }

        if (run.Wants("pingpong"))
        {
            PingPong(run);
        }

        if (run.Wants("files"))
        {
            Files(run);
            ServerCosts(run);
        }

        if (run.Wants("moves"))
        {
            Moves(run);
        }

        if (run.Wants("lines"))
        {
            run.Report(LinesFrom, "lines of the demos");
            LibRipcVerdict.Lines(run, SampleLines.Count());
        }

        run.Note("Not here: Fig. 5.8.");
    }

    private static void PingPong(FigureRun run)
    {
        int rounds = run.ByScale(1, 10, 20),
            count = run.ByScale(30, 200, 500);
        run.Report(0, "two servers start");
        using var testbed = MeasuredTestbed.StartTunnelled(
            new TorusShape(1, 1, 2) with
            {
                ParallelCables = false,
            },
            0,
            run
        );
        testbed.TieToProcessors();
        using var sockets = new SocketPings();
        var to = new Coordinate(0, 0, 1);
        SocketPair tunnel = testbed.TunnelTo(to);
        Dictionary<(string What, int Bytes), List<double>> micros = [];
        for (int round = -1; round < rounds; round++)
        {
            foreach (int bytes in CallBytes)
            {
                run.Report(FilesFrom * (0.1 + (0.9 * Math.Max(round, 0) / rounds)), $"calls of {bytes} B");
                Take(LibRipcVerdict.Short, bytes, testbed.Call(to, count, bytes, isLong: false));
                Take(LibRipcVerdict.Long, bytes, testbed.Call(to, count, bytes, isLong: true));
                Take(RoundTrips.Udp, bytes, sockets.Pair.Udp(count, bytes));
                Take(RoundTrips.Tcp, bytes, sockets.Pair.Tcp(count, bytes));
                Take(RoundTrips.Tunnel, bytes, tunnel.OpenTcp(count, bytes));
            }

            // The first round is not counted: it is when programs are translated.
            void Take(string what, int bytes, IReadOnlyList<double> taken)
            {
                if (round >= 0)
                {
                    (
                        micros.TryGetValue((what, bytes), out List<double>? list) ? list : micros[(what, bytes)] = []
                    ).AddRange(taken);
                }
            }
        }

        LibRipcVerdict.Calls(
            run,
            [.. micros.Select(pair => new RoundTrips(pair.Key.What, pair.Key.Bytes, 1, pair.Value))]
        );
        run.Note(
            $"L5.5: medians of {rounds * count:N0} calls, one after the other, in turns with UDP and TCP, and with TCP "
                + "through the tunnel of the same servers, over a connection that stays open; cables without a rate. A "
                + "short call has as many bytes in its question as in its answer, a long one only in its answer, which "
                + "is written into a window that the question lends."
        );
    }

    private static void Files(FigureRun run)
    {
        TorusShape shape = run.ByScale(new TorusShape(2, 1, 1), new TorusShape(3, 3, 1), new TorusShape(3, 3, 3));
        var to = new Coordinate(1, 0, 0);
        int paths = DisjointPaths.For(shape).SourceLinks(default, to).Count,
            rounds = run.ByScale(1, 3, 5);
        long rate =
            run.ByScale(100_000_000L, 20_000_000L, 8_000_000L) * Math.Clamp(Environment.ProcessorCount / 2, 1, 4);
        int[] sizes = run.ByScale<int[]>(
            [100_000, 1_000_000],
            [100_000, 300_000, 700_000, 2_000_000, 10_000_000],
            [100_000, 300_000, 700_000, 2_000_000, 10_000_000, 30_000_000, 90_000_000]
        );
        run.Report(FilesFrom, $"{shape.Count} servers start");
        using var testbed = MeasuredTestbed.StartTunnelled(shape, rate, run, SmallBuffer);
        using var sockets = new SocketPings(rate);
        SocketPair tunnel = testbed.TunnelTo(to);
        testbed.Call(to, 2, sizes[0], isLong: true);
        List<FileTransfer> all = [];
        for (int i = 0; i < sizes.Length; i++)
        {
            for (int round = 0; round < rounds; round++)
            {
                run.Report(
                    FilesFrom + ((CostsFrom - FilesFrom) * (i + ((double)round / rounds)) / sizes.Length),
                    $"files of {sizes[i] / 1_000:N0} kB"
                );
                all.Add(
                    new FileTransfer(LibRipcVerdict.Long, sizes[i], testbed.Call(to, 1, sizes[i], isLong: true)[0])
                );
                all.Add(new FileTransfer(LibRipcVerdict.Http, sizes[i], sockets.Pair.Http(sizes[i])));
                all.Add(new FileTransfer(LibRipcVerdict.Tunnel, sizes[i], tunnel.Http(sizes[i])));
            }
        }

        LibRipcVerdict.Files(run, all, paths);
        run.Note(
            $"L5.6: {shape.Count} servers in a cube {shape}, {rate / 1_000_000} Mbit/s per link and direction; "
                + $"neighbours with {paths} link-disjoint paths. HTTP over one such link, and over all of them through "
                + "the tunnel of the same servers, which goes the other way round, too, in flat cubes; connections are "
                + $"open already; medians of {rounds}, in turns."
        );
    }

    private static void ServerCosts(FigureRun run)
    {
        const int Size = 60_000_000;
        int rounds = run.ByScale(1, 5, 11),
            count = run.ByScale(2, 20, 40);
        double seconds = run.ByScale(0.2, 2.0, 4.0);
        run.Report(CostsFrom, "two servers start");
        TorusShape shape = new TorusShape(1, 1, 2) with { ParallelCables = false };
        using var testbed = MeasuredTestbed.Start(shape, 0, run);
        testbed.TieToProcessors();
        using var sockets = new SocketPings();
        SocketServer? server = SocketServer.TryMake(sockets);
        testbed.Call(shape.At(1), count, Size, isLong: true);
        List<ServerCost> all = [];
        for (int round = 0; round < rounds; round++)
        {
            run.Report(CostsFrom + ((MovesFrom - CostsFrom) * round / rounds), "files of 60 MB");
            double before = testbed.CpuSecondsOf(1);
            int came = testbed.Call(shape.At(1), count, Size, isLong: true).Count(double.IsFinite);
            double used = testbed.CpuSecondsOf(1) - before;
            all.Add(new ServerCost(LibRipcVerdict.Long, round, (double)came * Size, used));
            if (server?.Send(seconds) is { } sent)
            {
                all.Add(new ServerCost(LibRipcVerdict.Sockets, round, sent.Bytes, sent.CpuSeconds));
            }
        }

        LibRipcVerdict.ServerCosts(run, all);
        run.Note(
            $"L5.7: files of 60 MB, {count} at a time one after the other, from one server to its neighbour, cables "
                + "without a rate, frames of 9,000 bytes, each end tied to a processor; in turns with a C program that "
                + "sends by TCP, offloads off (no TSO, GSO, GRO). CPU time of the sending process, its system calls "
                + $"included; medians of {rounds} rounds."
        );
    }

    private static void Moves(FigureRun run)
    {
        TorusShape shape = run.ByScale(new TorusShape(2, 2, 1), new TorusShape(3, 3, 1), new TorusShape(3, 3, 1));
        MovesPlan plan = run.ByScale(new MovesPlan(1, 1), new MovesPlan(6, 3), new MovesPlan(20, 6)) with
        {
            Unmeasured = run.ByScale(0, 1, 1),
        };

        // The messenger's own times, and a detection time that a busy machine keeps.
        TimeSpan detection = TimeSpan.FromSeconds(1),
            settle = TimeSpan.FromMilliseconds(100),
            ask = TimeSpan.FromMilliseconds(20);
        run.Report(MovesFrom, $"{shape.Count} servers start");
        using var cube = new MovesOnCables(shape, detection, settle, ask, run);
        MovesResult result = MovesExperiment.Run(cube, plan, doing => run.Report(MovesFrom, doing));
        MovesVerdict.Check(run, result, detection, settle, ask);
    }
}
